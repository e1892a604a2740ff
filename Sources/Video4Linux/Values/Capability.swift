/// What a node says that it is: VIDIOC_QUERYCAP.
package struct Capability: Hashable, Sendable {
  package let driver: String
  /// The device's name.
  package let card: String
  package let busInfo: String
  /// What this node can do: the device's other nodes do not count.
  package let flags: Flags

  package init(driver: String, card: String, busInfo: String, flags: Flags) {
    self.driver = driver
    self.card = card
    self.busInfo = busInfo
    self.flags = flags
  }

  /// The kernel's `V4L2_CAP_*`, as far as this package asks.
  package struct Flags: OptionSet, Hashable, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) {
      self.rawValue = rawValue
    }

    package static let videoCapture = Flags(rawValue: 0x0000_0001)
    package static let videoOutput = Flags(rawValue: 0x0000_0002)
    package static let videoCaptureMultiplanar = Flags(rawValue: 0x0000_1000)
    package static let videoOutputMultiplanar = Flags(rawValue: 0x0000_2000)
    package static let memoryToMemoryMultiplanar = Flags(rawValue: 0x0000_4000)
    package static let memoryToMemory = Flags(rawValue: 0x0000_8000)
    package static let metadataCapture = Flags(rawValue: 0x0080_0000)
    package static let readWrite = Flags(rawValue: 0x0100_0000)
    package static let streaming = Flags(rawValue: 0x0400_0000)
    package static let touch = Flags(rawValue: 0x1000_0000)
    package static let mediaController = Flags(rawValue: 0x2000_0000)
    /// In `capabilities`: that `device_caps` is filled in.
    package static let deviceCapabilities = Flags(rawValue: 0x8000_0000)
  }

  /// Whether pictures have one memory area per plane. A node that has both ways is used in the
  /// simple one.
  package var isMultiplanar: Bool {
    !flags.contains(.videoCapture) && flags.contains(.videoCaptureMultiplanar)
  }

  /// Why pictures cannot be taken from this node, in the middle of a sentence; nil if they can.
  package var objection: String? {
    if !flags.isDisjoint(with: [.memoryToMemory, .memoryToMemoryMultiplanar]) {
      return "it converts pictures and takes none"
    }
    if flags.contains(.touch) { return "it is a touch screen" }
    if flags.isDisjoint(with: [.videoCapture, .videoCaptureMultiplanar]) {
      if flags.contains(.metadataCapture) {
        return "it carries a camera's metadata; its pictures come from a neighbouring node"
      }
      return flags.isDisjoint(with: [.videoOutput, .videoOutputMultiplanar])
        ? "it does not capture video" : "it shows pictures and takes none"
    }
    if !flags.contains(.streaming) { return "it has no streaming, only read()" }
    return nil
  }
}
