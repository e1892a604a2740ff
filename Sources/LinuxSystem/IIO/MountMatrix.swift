/// How a sensor is mounted: turns its axes into those of the device, see the kernel's
/// `Documentation/devicetree/bindings/iio/mount-matrix.txt`.
package struct MountMatrix: Hashable, Sendable {
  private let x: SIMD3<Double>
  private let y: SIMD3<Double>
  private let z: SIMD3<Double>

  /// Mounted as it should be.
  package static let identity = MountMatrix(
    x: SIMD3(1, 0, 0), y: SIMD3(0, 1, 0), z: SIMD3(0, 0, 1))

  private init(x: SIMD3<Double>, y: SIMD3<Double>, z: SIMD3<Double>) {
    self.x = x
    self.y = y
    self.z = z
  }

  /// Reads sysfs's and udev's form, `0, 1, 0; -1, 0, 0; 0, 0, 1`.
  ///
  /// nil for anything else, and where an axis is all zeroes, as some firmware says.
  package init?(parsing text: String) {
    let rows = text.split(separator: ";", omittingEmptySubsequences: false)
      .compactMap(Self.row(parsing:))
    guard rows.count == 3, text.count(where: { $0 == ";" }) == 2 else { return nil }
    self.init(x: rows[0], y: rows[1], z: rows[2])
  }

  private static func row(parsing text: Substring) -> SIMD3<Double>? {
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false)
      .compactMap { Double($0.filter { $0 != " " && $0 != "\t" }) }
    guard numbers.count == 3, numbers.allSatisfy({ abs($0) <= 1000 }) else { return nil }
    let row = SIMD3(numbers[0], numbers[1], numbers[2])
    return row == .zero ? nil : row
  }

  /// A reading in the device's axes.
  package func turn(_ reading: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3((x * reading).sum(), (y * reading).sum(), (z * reading).sum())
  }
}
