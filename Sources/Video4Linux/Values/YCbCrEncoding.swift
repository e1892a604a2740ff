/// The matrix between RGB and Y'CbCr, as of the kernel's `V4L2_YCBCR_ENC_*`.
package struct YCbCrEncoding: RawRepresentable, Hashable, Sendable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// As the colour space implies: see `V4L2_MAP_YCBCR_ENC_DEFAULT`.
  package static let unspecified = YCbCrEncoding(rawValue: 0)
  package static let rec601 = YCbCrEncoding(rawValue: 1)
  package static let rec709 = YCbCrEncoding(rawValue: 2)
  package static let xv601 = YCbCrEncoding(rawValue: 3)
  package static let xv709 = YCbCrEncoding(rawValue: 4)
  package static let bt2020 = YCbCrEncoding(rawValue: 6)
  package static let bt2020ConstantLuminance = YCbCrEncoding(rawValue: 7)
  package static let smpte240m = YCbCrEncoding(rawValue: 8)
}
