/// Which lines of an interlaced picture a buffer has, as of the kernel's `V4L2_FIELD_*`.
package struct Field: RawRepresentable, Hashable, Sendable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  package static let any = Field(rawValue: 0)
  /// A whole, progressive picture.
  package static let none = Field(rawValue: 1)
  /// Every second line, from the first one on: how old capture cards make a picture half as high.
  package static let top = Field(rawValue: 2)
  /// As `top`, from the second line on.
  package static let bottom = Field(rawValue: 3)
  package static let interlaced = Field(rawValue: 4)
  /// The upper half of a buffer has every second line of the picture, the lower half the others.
  package static let topThenBottom = Field(rawValue: 5)
  package static let bottomThenTop = Field(rawValue: 6)
  /// `top` and `bottom` in turn, a buffer each.
  package static let alternate = Field(rawValue: 7)

  /// Whether somebody has to put lines together before a buffer shows what the camera saw.
  package var needsWeaving: Bool {
    self == .topThenBottom || self == .bottomThenTop || self == .alternate
  }
}
