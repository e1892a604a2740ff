/// The primaries and the reference white, as of the kernel's `V4L2_COLORSPACE_*`.
package struct Colorspace: RawRepresentable, Hashable, Sendable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  package static let unspecified = Colorspace(rawValue: 0)
  /// SMPTE 170M: SDTV.
  package static let smpte170m = Colorspace(rawValue: 1)
  package static let smpte240m = Colorspace(rawValue: 2)
  package static let rec709 = Colorspace(rawValue: 3)
  package static let bt470SystemM = Colorspace(rawValue: 5)
  package static let bt470SystemBG = Colorspace(rawValue: 6)
  /// sRGB with the encoding and the range of JFIF.
  package static let jpeg = Colorspace(rawValue: 7)
  package static let srgb = Colorspace(rawValue: 8)
  package static let opRGB = Colorspace(rawValue: 9)
  package static let bt2020 = Colorspace(rawValue: 10)
  package static let raw = Colorspace(rawValue: 11)
  package static let dciP3 = Colorspace(rawValue: 12)
}
