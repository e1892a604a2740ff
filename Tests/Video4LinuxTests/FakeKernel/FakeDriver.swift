import CVideo4Linux
import Glibc
import LinuxSystem
import Video4Linux

/// The state of one fake device: what a driver would keep.
struct FakeDriver: Sendable {
  struct Buffer: Sendable {
    enum Owner { case application, driver, filled }
    var owner = Owner.application
    var planes: [FakeMemory]
    /// While filled.
    var frame = FakeFrame()
    var sequence: UInt32 = 0
    var takenAt: UInt64 = 0

    func isUnmapped(_ mappings: [UInt: FakeMemory]) -> Bool {
      planes.allSatisfy { mappings[$0.address] == nil }
    }
  }

  var device: FakeDevice
  var format: ck_image_format
  var interval = v4l2_fract(numerator: 1, denominator: 30)
  var buffers: [Buffer] = []
  /// The descriptor that the buffers were granted to.
  var owner: Int32?
  var isStreaming = false
  /// Indices of filled buffers, oldest first.
  var filled: [Int] = []
  /// Indices of buffers to be filled, oldest first.
  var waiting: [Int] = []
  var producedCount = 0
  var sequence: UInt32 = 0
  var lastStamp: UInt64 = 0
  var nextDue: UInt64 = 0
  /// How many DQBUF are to fail with EIO.
  var pendingDrops = 0
  /// Who is told of which controls, and what was not read yet.
  var watched: [Int32: Set<UInt32>] = [:]
  var events: [Int32: [Event]] = [:]
  /// Who is told of the source and the shutter, and what was not read yet.
  var streamWatchers: Set<Int32> = []
  var streamEvents: [Int32: [v4l2_event]] = [:]
  private var violations: [String] = []

  init(_ device: FakeDevice) {
    self.device = device
    format = ck_image_format()
    let first = device.formats.first ?? .yuyv
    format = Self.settled(device, first.fourcc, FrameSize(width: 640, height: 480))
  }

  var bufferType: UInt32 { device.isMultiplanar ? 9 : 1 }
  var queuedCount: Int { waiting.count + filled.count }

  mutating func violate(_ text: String) { violations.append(text) }

  mutating func takeViolations() -> [String] {
    defer { violations = [] }
    return violations
  }

  mutating func answer(
    _ call: FakeCall, _ argument: UnsafeMutableRawPointer, from descriptor: Int32, now: UInt64,
    mappings: [UInt: FakeMemory]
  ) throws(Errno) {
    switch call {
    case .queryCapability: queryCapability(&argument.as(v4l2_capability.self).pointee)
    case .enumerateFormats: try enumerate(&argument.as(v4l2_fmtdesc.self).pointee)
    case .enumerateFrameSizes: try enumerate(&argument.as(v4l2_frmsizeenum.self).pointee)
    case .enumerateFrameIntervals: try enumerate(&argument.as(v4l2_frmivalenum.self).pointee)
    case .getFormat, .setFormat, .tryFormat:
      try exchangeFormat(call, &argument.as(v4l2_format.self).pointee)
    case .getParameters, .setParameters:
      try exchangeParameters(call, &argument.as(v4l2_streamparm.self).pointee)
    case .enumerateInputs: try enumerate(&argument.as(v4l2_input.self).pointee)
    case .getInput:
      guard !device.inputs.isEmpty else { throw .notSupported }
      argument.as(CInt.self).pointee = CInt(device.inputIndex)
    case .subscribeEvent where device.hasEvents && isOfStreams(argument):
      streamWatchers.insert(descriptor)
    case .dequeueEvent where streamEvents[descriptor]?.isEmpty == false:
      argument.as(v4l2_event.self).pointee =
        streamEvents[descriptor]?.removeFirst() ?? v4l2_event()
    case .getControl, .setControl, .queryControl, .queryExtendedControl, .queryMenu,
      .getExtendedControls, .setExtendedControls, .tryExtendedControls, .subscribeEvent,
      .dequeueEvent:
      try answerControls(call, argument, from: descriptor)
    case .queryTimings:
      if let error = device.timingsError { throw error }
      argument.as(v4l2_dv_timings.self).pointee.bt.width = 640
    case .setTimings:
      guard buffers.isEmpty else { throw .busy }
      guard argument.as(v4l2_dv_timings.self).pointee.bt.width == 640 else {
        throw .invalidArgument
      }
    case .requestBuffers:
      try requestBuffers(
        &argument.as(v4l2_requestbuffers.self).pointee, from: descriptor, mappings: mappings)
    case .queryBuffer: try queryBuffer(&argument.as(v4l2_buffer.self).pointee)
    case .queueBuffer: try queueBuffer(&argument.as(v4l2_buffer.self).pointee, from: descriptor)
    case .dequeueBuffer: try dequeueBuffer(&argument.as(v4l2_buffer.self).pointee)
    case .streamOn: try streamOn(now: now)
    case .streamOff: streamOff()
    case .resetUSBDevice: break
    case .open, .close, .mmap, .munmap, .poll: throw .notSupported
    }
  }
}

extension FakeDriver {
  /// Whether a subscription is for the source or the shutter.
  private func isOfStreams(_ argument: UnsafeMutableRawPointer) -> Bool {
    let subscription = argument.as(v4l2_event_subscription.self).pointee
    return subscription.type == UInt32(V4L2_EVENT_SOURCE_CHANGE)
      || subscription.id == ck_CID_PRIVACY
  }
}

extension UnsafeMutableRawPointer {
  fileprivate func `as`<Argument>(_ type: Argument.Type) -> UnsafeMutablePointer<Argument> {
    assumingMemoryBound(to: type)
  }
}

extension FrameSizes {
  fileprivate func have(_ size: FrameSize) -> Bool {
    switch self {
    case .discrete(let sizes): sizes.isEmpty || sizes.contains(size)
    case .stepwise(let range), .continuous(let range): range.nearest(to: size) == size
    }
  }
}

// MARK: - Descriptions

extension FakeDriver {
  private func queryCapability(_ answer: inout v4l2_capability) {
    setText(&answer.driver, device.driver)
    setText(&answer.card, device.card)
    setText(&answer.bus_info, device.busInfo)
    answer.capabilities = device.allFlags.rawValue
    answer.device_caps = device.flags.rawValue
  }

  private func enumerate(_ entry: inout v4l2_fmtdesc) throws(Errno) {
    let format = try element(device.formats, entry.index)
    guard entry.type == bufferType else { throw .invalidArgument }
    entry.pixelformat = format.fourcc.rawValue
    entry.flags = format.isCompressed ? 1 : 0
    setText(&entry.description, format.description)
  }

  private func enumerate(_ entry: inout v4l2_frmsizeenum) throws(Errno) {
    switch try known(entry.pixel_format).sizes {
    case .discrete(let sizes):
      let size = try element(sizes, entry.index)
      entry.type = 1
      entry.discrete = v4l2_frmsize_discrete(width: size.width, height: size.height)
    case .continuous(let range):
      try fill(&entry, range, type: 2)
    case .stepwise(let range):
      try fill(&entry, range, type: 3)
    }
  }

  private func fill(
    _ entry: inout v4l2_frmsizeenum, _ range: FrameSizeRange, type: UInt32
  ) throws(Errno) {
    guard entry.index == 0 || device.listsAreEndless else { throw .invalidArgument }
    entry.type = type
    entry.stepwise = v4l2_frmsize_stepwise(
      min_width: range.minimum.width, max_width: range.maximum.width,
      step_width: type == 3 ? range.step.width : 1, min_height: range.minimum.height,
      max_height: range.maximum.height, step_height: type == 3 ? range.step.height : 1)
  }

  private func enumerate(_ entry: inout v4l2_frmivalenum) throws(Errno) {
    let format = try known(entry.pixel_format)
    let size = FrameSize(width: entry.width, height: entry.height)
    guard format.sizes.have(size) else { throw .invalidArgument }
    switch format.intervalsOfSizes[size] ?? format.intervals {
    case .discrete(let intervals):
      entry.type = 1
      entry.discrete = fraction(try element(intervals, entry.index))
    case .continuous(let range):
      guard entry.index == 0 || device.listsAreEndless else { throw .invalidArgument }
      entry.type = 2
      entry.stepwise.min = fraction(range.lowerBound)
      entry.stepwise.max = fraction(range.upperBound)
    case .stepwise(let range, let step):
      guard entry.index == 0 || device.listsAreEndless else { throw .invalidArgument }
      entry.type = 3
      entry.stepwise.min = fraction(range.lowerBound)
      entry.stepwise.max = fraction(range.upperBound)
      entry.stepwise.step = step.map(fraction) ?? v4l2_fract()
    }
  }

  private func enumerate(_ entry: inout v4l2_input) throws(Errno) {
    guard !device.inputs.isEmpty else { throw .notSupported }
    let input = try element(device.inputs, entry.index)
    setText(&entry.name, input.name)
    entry.status = input.status
    entry.capabilities = input.hasTimings ? 2 : 0
    entry.type = 2
  }

  func known(_ fourcc: UInt32) throws(Errno) -> FakeDevice.Format {
    guard let format = device.formats.first(where: { $0.fourcc.rawValue == fourcc }) else {
      throw .invalidArgument
    }
    return format
  }

  private func element<Element>(_ list: [Element], _ index: UInt32) throws(Errno) -> Element {
    if device.listsAreEndless, !list.isEmpty { return list[Int(index) % list.count] }
    guard index < list.count else { throw .invalidArgument }
    return list[Int(index)]
  }

  func fraction(_ interval: FrameInterval) -> v4l2_fract {
    v4l2_fract(numerator: interval.numerator, denominator: interval.denominator)
  }

  private func setText<Characters>(_ target: inout Characters, _ text: String) {
    withUnsafeMutableBytes(of: &target) { target in
      target.copyBytes(from: text.utf8.prefix(target.count))
    }
  }
}
