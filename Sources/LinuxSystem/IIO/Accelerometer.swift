/// An accelerometer of the kernel's Industrial I/O subsystem, as sysfs shows it.
///
/// The files are those of `Documentation/ABI/testing/sysfs-bus-iio`. Where udev's hardware database
/// knows better how a sensor is mounted than the kernel does, its word is taken, as desktops do.
package struct Accelerometer: Hashable, Sendable {
  /// Which half of a folding machine a sensor is in.
  package enum Location: Hashable, Sendable {
    case display, base, unknown
  }

  /// The sensor's folder.
  package let path: String
  /// The chip or driver, `bmc150_accel`; empty where unknown.
  package let name: String
  package let location: Location
  private let mount: Mount

  private enum Mount: Hashable {
    case matrix(MountMatrix)
    case garbage(path: String, text: String)
  }

  /// The sensors that say how the display is held, the best first: those in the display, then those
  /// that say nothing. What is in a keyboard's base is left out.
  package static func ofDisplay(in roots: DeviceRoots) -> [Accelerometer] {
    let folder = roots.sys + "/bus/iio/devices"
    let all = FileTree.names(in: folder).filter { $0.hasPrefix("iio:device") }.prefix(64)
      .compactMap { Accelerometer(at: folder + "/" + $0, roots: roots) }
    return all.filter { $0.location == .display } + all.filter { $0.location == .unknown }
  }

  /// Looks at a folder; nil where it is no accelerometer with three axes.
  private init?(at path: String, roots: DeviceRoots) {
    let names = FileTree.names(in: path)
    let hasAxes = ["x", "y", "z"].allSatisfy { axis in
      names.contains("in_accel_\(axis)_raw") || names.contains("in_accel_\(axis)_input")
    }
    guard hasAxes else { return nil }
    let properties = UdevProperties(ofDevice: path, roots: roots)
    self.path = path
    name = FileTree.text(at: path + "/name") ?? ""
    location = Self.location(at: path, properties)
    mount = Self.mount(at: path, properties)
  }

  private static func location(at path: String, _ properties: UdevProperties) -> Location {
    let words = [
      properties["ACCEL_LOCATION"], FileTree.text(at: path + "/label"),
      FileTree.text(at: path + "/location"),
    ]
    for word in words {
      switch word {
      case "display", "lid", "accel-display": return .display
      case "base", "accel-base": return .base
      default: continue
      }
    }
    return .unknown
  }

  private static func mount(at path: String, _ properties: UdevProperties) -> Mount {
    if let matrix = properties["ACCEL_MOUNT_MATRIX"].flatMap(MountMatrix.init(parsing:)) {
      return .matrix(matrix)
    }
    for name in ["in_accel_mount_matrix", "in_mount_matrix", "mount_matrix"] {
      let file = path + "/" + name
      guard let text = FileTree.text(at: file), !text.isEmpty else { continue }
      return MountMatrix(parsing: text).map(Mount.matrix) ?? .garbage(path: file, text: text)
    }
    return .matrix(.identity)
  }
}

// MARK: - Reading

extension Accelerometer {
  /// What the sensor measures now in m/s², turned to the display: x to its right, y to its top, z
  /// out of it to the user.
  ///
  /// At rest the vector points down as desktops understand it: (0, −9.8, 0) held upright, (0, 0,
  /// −9.8) lying with the screen up. May take as long as the bus that the sensor is on.
  package func reading() throws(AccelerometerError) -> SIMD3<Double> {
    switch mount {
    case .garbage(let path, let text):
      throw .garbage(path, text, wanted: "mount matrix")
    case .matrix(let matrix):
      return matrix.turn(SIMD3(try value(of: "x"), try value(of: "y"), try value(of: "z")))
    }
  }

  private func value(of axis: String) throws(AccelerometerError) -> Double {
    if let input = try number(in: ["in_accel_\(axis)_input"]) { return input }
    let file = "in_accel_\(axis)_raw"
    guard let raw = try number(in: [file]) else {
      throw .unreadable(path + "/" + file, .noEntry)
    }
    let offset = try number(in: ["in_accel_\(axis)_offset", "in_accel_offset"]) ?? 0
    let scale = try number(in: ["in_accel_\(axis)_scale", "in_accel_scale", "scale"]) ?? 1
    return (raw + offset) * scale
  }

  /// The number in the first of the files that is there; nil where none is.
  private func number(in files: [String]) throws(AccelerometerError) -> Double? {
    for file in files {
      let file = path + "/" + file
      let text: String
      do {
        text = try FileTree.contents(ofFile: file)
      } catch .noEntry {
        continue
      } catch {
        throw .unreadable(file, error)
      }
      guard let number = Double(text), number.isFinite, abs(number) < 1e12 else {
        throw .garbage(file, text, wanted: "number")
      }
      return number
    }
    return nil
  }
}
