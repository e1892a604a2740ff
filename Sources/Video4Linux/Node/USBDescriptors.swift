/// What a USB device says of its interfaces, as sysfs has it in the file `descriptors`; pure.
struct USBDescriptors {
  /// An isochronous endpoint of an interface's setting.
  struct Isochronous: Hashable {
    let interface: UInt8
    let setting: UInt8
    /// Reserved in a second while the setting is chosen.
    var bytesPerSecond: Int
  }

  private(set) var isochronous: [Isochronous] = []
  /// Interfaces that stream video: UVC's class 0e, subclass 02.
  private(set) var videoStreams: Set<UInt8> = []
  /// Ranges of interfaces that are one function.
  private(set) var functions: [ClosedRange<Int>] = []

  /// - Parameters:
  ///   - bytes: The device's descriptor and its configurations', one after the other. What is cut
  ///     off or makes no sense is left out.
  ///   - configuration: The number of the active one; nil for all.
  ///   - megabits: The device's speed.
  init(_ bytes: [UInt8], configuration: UInt8?, megabits: Int) {
    var (start, isActive) = (0, configuration == nil)
    var current: (interface: UInt8, setting: UInt8)?
    var intervalsPerSecond = 0
    while start + 2 <= bytes.count {
      let length = Int(bytes[start])
      guard length >= 2, start + length <= bytes.count else { return }
      let one = bytes[start..<start + length]
      func byte(_ offset: Int) -> Int { Int(one[start + offset]) }
      switch (byte(1), length) {
      case (0x02, 9...):
        isActive = configuration.map { byte(5) == Int($0) } ?? true
        current = nil
      case (0x0b, 8...) where isActive && byte(3) > 0:
        functions.append(byte(2)...byte(2) + byte(3) - 1)
      case (0x04, 9...) where isActive:
        current = (one[start + 2], one[start + 3])
        if byte(5) == 0x0e, byte(6) == 0x02 { videoStreams.insert(one[start + 2]) }
      case (0x05, 7...) where isActive && byte(3) & 3 == 1:
        guard let current, (1...16).contains(byte(6)) else { break }
        let size = byte(4) | byte(5) << 8
        let packets = megabits >= 480 ? (size >> 11 & 3) + 1 : 1
        intervalsPerSecond = (megabits >= 480 ? 8000 : 1000) >> (byte(6) - 1)
        isochronous.append(
          Isochronous(
            interface: current.interface, setting: current.setting,
            bytesPerSecond: (size & 0x7ff) * packets * intervalsPerSecond))
      case (0x30, 6...) where isActive && isAfterEndpoint(current):
        isochronous[isochronous.count - 1].bytesPerSecond =
          (byte(4) | byte(5) << 8) * intervalsPerSecond
      case (0x31, 8...) where isActive && isAfterEndpoint(current):
        let size = byte(4) | byte(5) << 8 | byte(6) << 16 | byte(7) << 24
        isochronous[isochronous.count - 1].bytesPerSecond = size * intervalsPerSecond
      default: break
      }
      start += length
    }
  }

  /// Whether a companion descriptor may be the last endpoint's.
  private func isAfterEndpoint(_ current: (interface: UInt8, setting: UInt8)?) -> Bool {
    guard let last = isochronous.last, let current else { return false }
    return last.interface == current.interface && last.setting == current.setting
  }

  /// The interfaces that stream a control interface's video.
  func videoStreams(of control: UInt8?) -> Set<UInt8> {
    guard let control, let function = functions.first(where: { $0.contains(Int(control)) }) else {
      return videoStreams
    }
    return videoStreams.filter { function.contains(Int($0)) }
  }
}
