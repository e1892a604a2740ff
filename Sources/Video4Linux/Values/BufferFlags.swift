/// What a driver says of a buffer, as of the kernel's `V4L2_BUF_FLAG_*`.
package struct BufferFlags: OptionSet, Hashable, Sendable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  package static let mapped = BufferFlags(rawValue: 0x0000_0001)
  package static let queued = BufferFlags(rawValue: 0x0000_0002)
  package static let done = BufferFlags(rawValue: 0x0000_0004)
  package static let keyFrame = BufferFlags(rawValue: 0x0000_0008)
  /// The data may be damaged.
  package static let error = BufferFlags(rawValue: 0x0000_0040)
  package static let last = BufferFlags(rawValue: 0x0010_0000)
}
