import CVideo4Linux
import LinuxSystem

extension VideoNode {
  /// More than any driver has; lists that do not end are left there.
  private static let controlLimit = 1024
  private static let menuLimit: Int64 = 512

  /// All controls as they are now, in the driver's order, headings left out. What cannot be
  /// described, as the firmware stalls, is left out too.
  /// - Throws: `disconnected`.
  package func controls() throws(VideoNodeError) -> [Control] {
    var found: [Control] = []
    var last: UInt32 = 0
    for _ in 0..<Self.controlLimit {
      do {
        let answer = try queryControl(last | ck_NEXT_CONTROL)
        guard answer.id > last else { break }
        last = answer.id
        if let control = try withMenu(answer) { found.append(control) }
      } catch .noDevice {
        throw .disconnected(path, .noDevice)
      } catch .invalidArgument {
        // The end of the list; or a driver that knows no list.
        guard last == 0 else { return found }
        return try probedControls()
      } catch .notSupported {
        return found
      } catch {
        guard let failed = try identifier(after: last) else { return found }
        last = failed
      }
    }
    return found
  }

  /// One control as it is now.
  /// - Returns: Nil where the device does not have it.
  /// - Throws: `disconnected`, `controlFailed`.
  package func describeControl(_ identifier: UInt32) throws(VideoNodeError) -> Control? {
    do {
      return try withMenu(try queryControl(identifier))
    } catch .invalidArgument {
      return nil
    } catch .notSupported {
      return nil
    } catch {
      throw controlFailure(error, "Control 0x\(String(identifier, radix: 16))")
    }
  }

  /// The control with a number, or the one after it; whatever the driver speaks.
  private func queryControl(_ identifier: UInt32) throws(Errno) -> v4l2_query_ext_ctrl {
    var answer = v4l2_query_ext_ctrl()
    answer.id = identifier
    do {
      try call(Request.queryExtendedControl, &answer)
      return answer
    } catch {
      guard error == .notSupported else { throw error }
    }
    var short = v4l2_queryctrl()
    short.id = identifier & ~UInt32(V4L2_CTRL_FLAG_NEXT_COMPOUND)
    try call(Request.queryControl, &short)
    return v4l2_query_ext_ctrl(short)
  }

  /// Nil for what is no control.
  private func withMenu(_ answer: v4l2_query_ext_ctrl) throws(Errno) -> Control? {
    var control = Control(answer)
    guard control.type != .controlClass else { return nil }
    guard control.type.isMenu, control.range.lowerBound >= 0 else { return control }
    let first = control.range.lowerBound
    let last = min(control.range.upperBound, first.addingReportingOverflow(Self.menuLimit - 1).0)
    guard first <= last, last <= UInt32.max else { return control }
    for index in UInt32(first)...UInt32(last) {
      var item = ck_menu_make(control.identifier, index)
      do {
        try call(Request.queryMenu, &item)
      } catch {
        guard error != .noDevice else { throw error }
        // A hole; the items after it are there.
        continue
      }
      control.menu.append(
        control.type == .integerMenu
          ? Control.MenuItem(index: index, number: ck_menu_number(item))
          : Control.MenuItem(index: index, name: controlText(ck_menu_name(item))))
    }
    return control
  }
}

// MARK: - Lists that the driver does not give

extension VideoNode {
  /// All numbers of the kernel's classes, in order.
  private static let standardIdentifiers: [UInt32] = (0x98...0xA5).flatMap { group in
    [0x0900..<0x0980, 0x1900..<0x1B00].joined().map { UInt32(group) << 16 | UInt32($0) }
  }

  /// Finds out which control cannot be described; whoever is not there says so at once, without a
  /// word to the device.
  /// - Returns: Nil where it is none of the kernel's.
  private func identifier(after last: UInt32) throws(VideoNodeError) -> UInt32? {
    for identifier in Self.standardIdentifiers where identifier > last {
      do {
        _ = try queryControl(identifier)
        return identifier
      } catch .invalidArgument {
        continue
      } catch .noDevice {
        throw .disconnected(path, .noDevice)
      } catch {
        return identifier
      }
    }
    return nil
  }

  /// The list of a driver that has to be asked for each control.
  private func probedControls() throws(VideoNodeError) -> [Control] {
    var found: [Control] = []
    for identifier in Self.standardIdentifiers {
      do {
        if let control = try withMenu(try queryControl(identifier)) { found.append(control) }
      } catch .noDevice {
        throw .disconnected(path, .noDevice)
      } catch {
        continue
      }
    }
    return found
  }
}

extension v4l2_query_ext_ctrl {
  /// What an older request has answered.
  fileprivate init(_ short: v4l2_queryctrl) {
    self.init()
    id = short.id
    type = short.type
    unsafe withUnsafeMutableBytes(of: &name) { target in
      unsafe withUnsafeBytes(of: short.name) { unsafe target.copyMemory(from: $0) }
    }
    let isBits = ControlType(rawValue: short.type) == .bitmask
    minimum = Int64(short.minimum)
    // The highest bit is no sign.
    maximum = isBits ? Int64(UInt32(bitPattern: short.maximum)) : Int64(short.maximum)
    step = UInt64(clamping: short.step)
    default_value =
      isBits ? Int64(UInt32(bitPattern: short.default_value)) : Int64(short.default_value)
    flags = short.flags
    elems = 1
  }
}
