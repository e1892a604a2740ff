import CVideo4Linux
import LinuxSystem
import Video4Linux

/// A camera that does not exist, as its driver would describe it.
struct FakeDevice: Sendable {
  struct Format: Sendable {
    var fourcc: FourCC
    var description = "Fake"
    var isCompressed = false
    var sizes: FrameSizes
    var intervals: FrameIntervals
    /// Of sizes that have others.
    var intervalsOfSizes: [FrameSize: FrameIntervals] = [:]
    /// One entry per memory area, each with bits per pixel.
    var planes: [UInt32] = [16]

    static let yuyv = Format(fourcc: .yuyv, sizes: .vga, intervals: .usual)
    static let mjpg = Format(fourcc: .mjpg, isCompressed: true, sizes: .vga, intervals: .usual)
    static let nm12 = Format(fourcc: .nm12, sizes: .vga, intervals: .usual, planes: [8, 4])
  }

  struct Input: Sendable {
    var name = "Camera 1"
    var status: UInt32 = 0
    /// As HDMI inputs have them.
    var hasTimings = false
  }

  var driver = "fakevideo"
  var card = "Fake Camera"
  var busInfo = "usb-fake-1"
  /// `capabilities`: of the whole device, metadata and all.
  var allFlags: Capability.Flags = [
    .videoCapture, .metadataCapture, .streaming, .deviceCapabilities,
  ]
  /// `device_caps`.
  var flags: Capability.Flags = [.videoCapture, .streaming]
  var formats: [Format] = [.yuyv, .mjpg]
  var inputs: [Input] = [Input()]
  /// Which of them is selected.
  var inputIndex = 0
  /// Values that G_CTRL gives, of controls that nobody lists.
  var controls: [UInt32: Int32] = [:]
  var controlModels: [FakeControl] = []
  /// What was set, in order.
  var controlWrites: [(id: UInt32, value: Int64)] = []
  var knowsExtendedQuery = true
  var knowsExtendedValues = true
  /// Whether a control can be asked for as the one after another.
  var knowsNextControl = true
  /// The list of controls never ends: one number more each time, or the same control.
  var controlListIsEndless = false
  var controlListStandsStill = false
  /// Whether there are events for changes of controls.
  var tellsOfControls = true
  /// Whether the driver tells of a changed source and of its shutter.
  var hasEvents = false
  /// What QUERY_DV_TIMINGS fails with.
  var timingsError: Errno?
  /// The lines that a picture has, from those that were asked for.
  var field: @Sendable (Field) -> Field = { _ in .none }
  /// Whether G_PARM and S_PARM know `timeperframe`.
  var hasFrameIntervals = true
  var grantedCount: @Sendable (UInt32) -> UInt32 = { min($0, 8) }
  /// Whether REQBUFS(0) leaves the memory to whoever has it mapped.
  var orphansBuffers = true
  /// Bytes added to each row.
  var rowPadding: UInt32 = 0
  /// What comes out of S_FMT, where that is not the nearest size of the list.
  var settles: (@Sendable (FourCC, FrameSize) -> (FourCC, FrameSize))?
  /// Lists that never end: the same entry for every index.
  var listsAreEndless = false
  /// Planes of QUERYBUF, where those are not the format's.
  var queriedPlaneCount: UInt32?
  /// The memory's length, where that is not what S_FMT said.
  var memoryLength: UInt32?
  /// In order; after the last all are as usual.
  var frames: [FakeFrame] = []
  /// What each frame begins with; nil is its number.
  var picture: [UInt8]?
  /// How many frames come at all.
  var frameCount = Int.max
  /// poll(2) says that there is a frame where there is none.
  var promisesFrames = false
  /// poll(2) says POLLERR from this frame on.
  var pollErrorAtFrame = Int.max

  var isMultiplanar: Bool { flags.contains(.videoCaptureMultiplanar) }

  static var multiplanar: FakeDevice {
    var device = FakeDevice()
    device.flags = [.videoCaptureMultiplanar, .streaming]
    device.formats = [.nm12]
    return device
  }
}

extension FrameSizes {
  static let vga = FrameSizes.discrete([
    FrameSize(width: 640, height: 480), FrameSize(width: 320, height: 240),
  ])
}

extension FrameIntervals {
  static let usual = FrameIntervals.discrete(
    [(1, 30), (1001, 15000), (2, 15)].compactMap { FrameInterval(numerator: $0, denominator: $1) })
}
