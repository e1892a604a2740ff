import LinuxSystem
import Video4Linux

/// A control of a fake device: what its driver says of it, and how it fails.
struct FakeControl: Sendable {
  enum Item: Sendable {
    case name(String)
    case number(Int64)
  }

  var id: UInt32
  var type = ControlType.integer
  var name = "Fake Control"
  var minimum: Int64 = 0
  var maximum: Int64 = 100
  var step: UInt64 = 1
  var defaultValue: Int64 = 0
  var flags: UInt32 = 0
  var dimensions: UInt32 = 0
  var value: Int64 = 0
  var text = ""
  /// What is not in it is a hole.
  var menu: [UInt32: Item] = [:]
  /// The control that governs it, and the values that leave it alone.
  var governor: (id: UInt32, freeing: Set<Int64>)?
  /// The highest value is the frame interval in units of 100 microseconds.
  var followsFrameInterval = false
  /// What describing, reading and setting it fail with.
  var queryErrno: Errno?
  var readErrno: Errno?
  var writeErrno: Errno?

  static let exposureMode = FakeControl(
    id: 0x009a_0901, type: .menu, name: "Auto Exposure", maximum: 3, defaultValue: 3, value: 3,
    menu: [1: .name("Manual Mode"), 3: .name("Aperture Priority Mode")])
  static let exposureTime = FakeControl(
    id: 0x009a_0902, name: "Exposure Time, Absolute", minimum: 1, maximum: 10_000,
    defaultValue: 156, value: 156, governor: (0x009a_0901, [1]))
  static let gain = FakeControl(id: 0x0098_0913, name: "Gain", defaultValue: 10, value: 10)
  static let heading = FakeControl(id: 0x0098_0001, type: .controlClass, name: "User Controls")
}
