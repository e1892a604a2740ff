/// The range of the sample values, as of the kernel's `V4L2_QUANTIZATION_*`.
package struct Quantization: RawRepresentable, Hashable, Sendable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// As the colour space implies: see `V4L2_MAP_QUANTIZATION_DEFAULT`.
  package static let unspecified = Quantization(rawValue: 0)
  package static let fullRange = Quantization(rawValue: 1)
  package static let limitedRange = Quantization(rawValue: 2)
}
