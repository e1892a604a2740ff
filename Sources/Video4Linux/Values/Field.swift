/// Which lines of an interlaced picture a buffer has, as of the kernel's `V4L2_FIELD_*`.
package struct Field: RawRepresentable, Hashable, Sendable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  package static let any = Field(rawValue: 0)
  /// A whole, progressive picture.
  package static let none = Field(rawValue: 1)
  package static let top = Field(rawValue: 2)
  package static let bottom = Field(rawValue: 3)
  package static let interlaced = Field(rawValue: 4)
  package static let alternate = Field(rawValue: 7)
}
