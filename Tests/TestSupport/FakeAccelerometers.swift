/// Accelerometers as sysfs and udev show them, in a temporary folder.
package struct FakeAccelerometers: Sendable {
  package let folder: TemporaryFolder
  /// Where `/sys` and `/run` are.
  package var sys: String { folder.path + "/sys" }
  package var run: String { folder.path + "/run" }

  package init() throws { folder = try TemporaryFolder() }

  /// Adds a sensor held upright, with a scale of a hundredth.
  package func add(_ number: Int = 0, files: [String: String] = [:], udev: String? = nil) {
    var all = ["name": "bmc150_accel", "in_accel_scale": "0.01", "dev": "240:\(number)"]
    all.merge(files) { $1 }
    for (name, text) in all { write(text, to: name, of: number) }
    hold(x: 0, y: -9.81, z: 0, of: number)
    if let udev { folder.file("run/udev/data/c240:\(number)", udev) }
  }

  /// Makes a sensor measure something, in m/s².
  package func hold(x: Double, y: Double, z: Double, of number: Int = 0) {
    for (axis, value) in ["x": x, "y": y, "z": z] {
      write("\(Int((value * 100).rounded()))", to: "in_accel_\(axis)_raw", of: number)
    }
  }

  package func write(_ text: String, to name: String, of number: Int = 0) {
    folder.file(path(number) + "/" + name, text + "\n")
  }

  package func remove(_ name: String, of number: Int = 0) {
    folder.remove(path(number) + "/" + name)
  }

  private func path(_ number: Int) -> String { "sys/bus/iio/devices/iio:device\(number)" }
}
