import CVideo4Linux
import LinuxSystem

extension VideoNode {
  /// Reads controls, in as few requests as the driver allows.
  /// - Parameter controls: Described by this node.
  /// - Returns: For each a value, or why there is none.
  /// - Throws: `disconnected`.
  package func values(
    of controls: [Control]
  ) throws(VideoNodeError) -> [UInt32: Result<ControlValue, VideoNodeError>] {
    var results: [UInt32: Result<ControlValue, VideoNodeError>] = [:]
    let numbers = controls.filter { $0.isScalar && $0.type.isNumber }
    for batch in numbers.batches(of: Int(CK_CONTROL_LIMIT)) {
      let zeros = [Int64](repeating: 0, count: batch.count)
      if let values = try? exchange(Request.getExtendedControls, batch, zeros) {
        for (control, value) in zip(batch, values) {
          results[control.identifier] = .success(.number(value))
        }
        continue
      }
      // One that fails takes the others with it: each by itself.
      for control in batch {
        results[control.identifier] = try result(control) { () throws(Errno) in
          try number(of: control)
        }
      }
    }
    for control in controls where results[control.identifier] == nil {
      results[control.identifier] = try result(control) { () throws(Errno) in
        try text(of: control)
      }
    }
    return results
  }

  /// Sets controls, as many at once as the driver allows, in order.
  /// - Parameter settings: Controls that this node has described, and values that they accept.
  /// - Throws: The first refusal, whose control the sentence names; those before it are set.
  ///   `disconnected`, `controlNotWritable`, `invalidControlValue`, `controlFailed`.
  package func setControls(
    _ settings: [(control: Control, value: ControlValue)]
  ) throws(VideoNodeError) {
    var batch: [(control: Control, value: Int64)] = []
    for (control, value) in settings {
      switch value {
      case .number(let number):
        if batch.count == Int(CK_CONTROL_LIMIT) { try set(&batch) }
        batch.append((control, number))
      case .text(let text):
        try set(&batch)
        do {
          try setText(text, of: control)
        } catch {
          throw controlFailure(error, control.name)
        }
      }
    }
    try set(&batch)
  }

  private func set(_ batch: inout [(control: Control, value: Int64)]) throws(VideoNodeError) {
    let settings = batch
    batch = []
    guard !settings.isEmpty else { return }
    let controls = settings.map(\.control)
    let values = settings.map(\.value)
    do {
      _ = try exchange(Request.setExtendedControls, controls, values)
      return
    } catch {
      if error.index < controls.count {
        throw controlFailure(error.errno, controls[error.index].name)
      }
      guard error.errno != .noDevice else { throw .disconnected(path, .noDevice) }
    }
    // Refused as a whole, and nothing is set. Whoever tries it is told by which one.
    do {
      _ = try exchange(Request.tryExtendedControls, controls, values)
    } catch {
      if error.index < controls.count {
        throw controlFailure(error.errno, controls[error.index].name)
      }
    }
    for (control, value) in settings {
      do throws(Errno) {
        try setNumber(value, of: control)
      } catch {
        throw controlFailure(error, control.name)
      }
    }
  }

  private func result(
    _ control: Control, _ read: () throws(Errno) -> ControlValue
  ) throws(VideoNodeError) -> Result<ControlValue, VideoNodeError> {
    do throws(Errno) {
      return .success(try read())
    } catch {
      guard error != .noDevice else { throw .disconnected(path, error) }
      return .failure(controlFailure(error, control.name))
    }
  }
}

// MARK: - One control

extension VideoNode {
  private func number(of control: Control) throws(Errno) -> ControlValue {
    do {
      return .number(try exchange(Request.getExtendedControls, [control], [0])[0])
    } catch {
      guard error.errno == .notSupported, control.type != .integer64 else { throw error.errno }
    }
    var short = v4l2_control()
    short.id = control.identifier
    try call(Request.getControl, &short)
    return .number(control.number(short.value))
  }

  private func setNumber(_ value: Int64, of control: Control) throws(Errno) {
    do {
      _ = try exchange(Request.setExtendedControls, [control], [value])
      return
    } catch {
      guard error.errno == .notSupported, control.type != .integer64 else { throw error.errno }
    }
    var short = v4l2_control(
      id: control.identifier, value: Int32(truncatingIfNeeded: value))
    try call(Request.setControl, &short)
  }

  private func text(of control: Control) throws(Errno) -> ControlValue {
    guard control.type == .string, control.isScalar else { throw .invalidArgument }
    var bytes = try textBuffer(of: control)
    try exchange(Request.getExtendedControls, control, &bytes)
    return .text(String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self))
  }

  private func setText(_ text: String, of control: Control) throws(Errno) {
    var bytes = try textBuffer(of: control)
    let new = Array(text.utf8.prefix { $0 != 0 })
    guard new.count < bytes.count else { throw .invalidArgument }
    bytes.replaceSubrange(0..<new.count, with: new)
    try exchange(Request.setExtendedControls, control, &bytes)
  }

  /// Room for the longest text and the zero at its end.
  private func textBuffer(of control: Control) throws(Errno) -> [UInt8] {
    guard 0...0xFFFF ~= control.range.upperBound else { throw .invalidArgument }
    return [UInt8](repeating: 0, count: Int(control.range.upperBound) + 1)
  }
}

// MARK: - Requests

extension VideoNode {
  /// A request for several controls that failed.
  private struct ExchangeFailure: Error {
    let errno: Errno
    /// Of the control that failed; their count where it is none in particular.
    let index: Int
  }

  private func exchange(
    _ request: UInt, _ controls: [Control], _ values: [Int64]
  ) throws(ExchangeFailure) -> [Int64] {
    var storage = unsafe ck_controls()
    return try unsafe withUnsafeMutablePointer(to: &storage) {
      pointer throws(ExchangeFailure) in
      unsafe ck_controls_prepare(pointer, UInt32(controls.count))
      for (index, (control, value)) in zip(controls, values).enumerated() {
        unsafe ck_controls_put(
          pointer, UInt32(index), control.identifier, value, control.type == .integer64 ? 1 : 0)
      }
      do throws(Errno) {
        try unsafe call(request, at: pointer)
      } catch {
        throw ExchangeFailure(
          errno: error, index: min(Int(unsafe pointer.pointee.head.error_idx), controls.count))
      }
      return controls.enumerated().map { index, control in
        let isWide: Int32 = control.type == .integer64 ? 1 : 0
        let value = unsafe ck_controls_number(pointer, UInt32(index), isWide)
        return isWide == 1 ? value : control.number(Int32(truncatingIfNeeded: value))
      }
    }
  }

  private func exchange(
    _ request: UInt, _ control: Control, _ bytes: inout [UInt8]
  ) throws(Errno) {
    let memory = UnsafeMutableRawBufferPointer.allocate(
      byteCount: bytes.count, alignment: 8)
    defer { unsafe memory.deallocate() }
    guard let start = memory.baseAddress else { return }
    unsafe memory.copyBytes(from: bytes)
    var storage = unsafe ck_controls()
    try unsafe withUnsafeMutablePointer(to: &storage) { pointer throws(Errno) in
      unsafe ck_controls_prepare(pointer, 1)
      unsafe ck_controls_put_memory(
        pointer, 0, control.identifier, start, UInt32(memory.count))
      try unsafe call(request, at: pointer)
    }
    bytes = unsafe Array(memory)
  }
}

extension Control {
  /// The number that 32 bits mean: the highest bit of a bitmask is no sign.
  fileprivate func number(_ bits: Int32) -> Int64 {
    type == .bitmask ? Int64(UInt32(bitPattern: bits)) : Int64(bits)
  }
}

extension Array {
  fileprivate func batches(of count: Int) -> [[Element]] {
    stride(from: 0, to: self.count, by: count).map { start in
      Array(self[start..<Swift.min(start + count, self.count)])
    }
  }
}
