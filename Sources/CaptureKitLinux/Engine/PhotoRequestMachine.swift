/// One photo request from its begin to its end; pure.
///
/// Events go in, actions come out. Whatever the order of events, `willBegin` is the first action
/// and `finish` the last, each exactly once, and each of the photos asked for comes exactly once
/// between them, or the reason why it does not.
struct PhotoRequestMachine {
  /// What is to be done, in this order.
  enum Action: Equatable {
    case announceBegin
    /// Bring the camera to where a photo, counted from 1, can be taken.
    case prepare(photo: Int)
    case announceWillCapture
    case announceDidCapture
    /// Make the picture of the frame that came with the event.
    case makePicture
    /// The picture that came with the event is a photo, counted from 1.
    case deliver(photo: Int)
    case fail(CaptureError.Code, photo: Int)
    case finish
  }

  /// When the camera has to be brought to where photos can be taken.
  enum Preparation { case none, once, forEachPhoto }

  /// What is known of a frame when it comes.
  struct FrameFacts {
    var timestamp: FrameTimestamp
    /// The time between frames; nil where nobody knows.
    var duration: Duration?
    /// The time since the frame before was picked up; nil for a stream's first.
    var sincePreviousPickup: Duration?
    /// Whether exposure was seen to have settled.
    var hasSettled = false
  }

  private enum Phase { case new, active, over }

  private var phase = Phase.new
  private var requestedAt: HostTime
  private var notBefore: HostTime
  private let count: Int
  private let preparation: Preparation
  private var isPrepared: Bool
  private var pickups = PickupRule()
  private var hasAnnouncedWill = false
  private var hasAnnouncedDid = false
  private var hasMetDamage = false
  private var pendingEnd: CaptureError.Code?
  private var delivered = 0
  /// How many pictures are being made.
  private(set) var processingCount = 0

  /// Describes a request.
  ///
  /// - Parameters:
  ///   - requestedAt: A frame exposed before this moment is not the photo.
  ///   - notBefore: A frame taken before this moment is not settled, unless it is said to be.
  ///   - count: How many photos are asked for.
  ///   - preparation: When the camera has to be prepared.
  init(
    requestedAt: HostTime, notBefore: HostTime, count: Int = 1, preparation: Preparation = .none
  ) {
    self.requestedAt = requestedAt
    self.notBefore = notBefore
    self.count = count
    self.preparation = preparation
    isPrepared = preparation == .none
  }

  /// Whether a frame is waited for.
  var isWaiting: Bool {
    phase == .active && isPrepared && pendingEnd == nil && delivered + processingCount < count
      && (preparation != .forEachPhoto || processingCount == 0)
  }

  /// Whether frames have still to come, now or after a preparation.
  var needsFrames: Bool {
    phase == .active && pendingEnd == nil && delivered + processingCount < count
  }

  var isOver: Bool { phase == .over }

  mutating func begin() -> [Action] {
    guard phase == .new else { return [] }
    phase = .active
    return [.announceBegin]
  }
}

// MARK: - Preparation

extension PhotoRequestMachine {
  /// It is the request's turn to have the camera.
  func start() -> [Action] {
    phase == .active && !isPrepared ? [.prepare(photo: delivered + 1)] : []
  }

  /// The camera is where the next photo can be taken.
  ///
  /// - Parameters:
  ///   - time: A frame exposed before this moment is not the photo.
  ///   - settled: A frame taken before this moment is not settled, unless it is said to be.
  mutating func prepared(at time: HostTime, settledBy settled: HostTime) {
    guard phase == .active, !isPrepared else { return }
    isPrepared = true
    startAnew(at: time, settledBy: settled)
  }

  /// A request that had the camera for itself has given it back: what it showed until then is
  /// nobody else's photo.
  ///
  /// - Parameters: As of ``prepared(at:settledBy:)``.
  mutating func cameraIsRestored(at time: HostTime, settledBy settled: HostTime) {
    guard preparation == .none else { return }
    startAnew(at: time, settledBy: settled)
  }

  /// The camera was started anew, for whatever reason: its exposure has to settle again.
  mutating func streamIsRestarted(settledBy settled: HostTime) {
    notBefore = max(notBefore, settled)
    pickups = PickupRule()
  }

  private mutating func startAnew(at time: HostTime, settledBy settled: HostTime) {
    requestedAt = time
    notBefore = settled
    pickups = PickupRule()
  }
}

// MARK: - Frames and pictures

extension PhotoRequestMachine {
  mutating func receive(_ frame: FrameFacts) -> [Action] {
    guard isWaiting, isFresh(frame), frame.hasSettled || frame.timestamp.time >= notBefore else {
      return []
    }
    return takeFrame()
  }

  /// Takes a frame from before the request: zero shutter lag.
  mutating func receiveEarlier() -> [Action] {
    isWaiting ? takeFrame() : []
  }

  private mutating func takeFrame() -> [Action] {
    processingCount += 1
    var actions: [Action] = []
    if !hasAnnouncedWill { actions.append(.announceWillCapture) }
    hasAnnouncedWill = true
    if delivered + processingCount == count { actions += announceDid() }
    return actions + [.makePicture]
  }

  private mutating func announceDid() -> [Action] {
    guard hasAnnouncedWill, !hasAnnouncedDid else { return [] }
    hasAnnouncedDid = true
    return [.announceDidCapture]
  }

  /// The picture is made.
  mutating func pictureIsMade() -> [Action] {
    guard phase == .active, processingCount > 0 else { return [] }
    processingCount -= 1
    delivered += 1
    let delivery = Action.deliver(photo: delivered)
    if delivered == count {
      phase = .over
      return [delivery, .finish]
    }
    if processingCount == 0, let pendingEnd { return [delivery] + failRest(pendingEnd) }
    guard preparation == .forEachPhoto else { return [delivery] }
    isPrepared = false
    return [delivery, .prepare(photo: delivered + 1)]
  }

  /// No picture could be made of the frame; a damaged frame is made up for by the next one.
  mutating func pictureFailed(_ code: CaptureError.Code) -> [Action] {
    guard phase == .active, processingCount > 0 else { return [] }
    processingCount -= 1
    if code == .corruptFrame {
      hasMetDamage = true
    } else {
      pendingEnd = code
    }
    guard processingCount == 0, let pendingEnd else { return [] }
    return failRest(pendingEnd)
  }

  /// A frame was left out because it is damaged.
  mutating func meetDamage() {
    if isWaiting { hasMetDamage = true }
  }

  /// No more frames will come, or not in time; a picture that is being made is still delivered.
  mutating func end(_ code: CaptureError.Code) -> [Action] {
    guard phase == .active else { return [] }
    guard processingCount == 0 else {
      pendingEnd = pendingEnd ?? code
      return []
    }
    return failRest(code)
  }

  private mutating func failRest(_ code: CaptureError.Code) -> [Action] {
    phase = .over
    // A deadline that only damaged frames have met is told as what it was missed for.
    let reason = code == .timedOut && hasMetDamage ? .corruptFrame : code
    return announceDid() + (delivered..<count).map { .fail(reason, photo: $0 + 1) } + [.finish]
  }
}

// MARK: - Freshness

extension PhotoRequestMachine {
  /// Whether the exposure began after the request.
  private mutating func isFresh(_ frame: FrameFacts) -> Bool {
    switch frame.timestamp.reference {
    case .startOfExposure:
      return frame.timestamp.time > requestedAt
    case .endOfFrame:
      // A camera that slows down in the dark exposes for longer than it said.
      let known = [frame.duration, frame.sincePreviousPickup].compactMap { $0 }
      guard let exposure = known.max() else { return false }
      return frame.timestamp.time > requestedAt.advanced(by: min(exposure, .seconds(2)))
    case .pickup:
      return frame.timestamp.time > requestedAt && pickups.allows(frame)
    }
  }

  /// Frames without a stamp: those that were waiting already are old, and so may be the first that
  /// had to be waited for, since its exposure may have begun before the request.
  private struct PickupRule {
    /// More frames cannot have been waiting: a driver has at most 32 buffers.
    private static let mostSkipped = 33
    private var skipped = 0
    private var hasWaited = false

    mutating func allows(_ frame: FrameFacts) -> Bool {
      if hasWaited || skipped >= Self.mostSkipped { return true }
      skipped += 1
      let usual = frame.duration ?? .milliseconds(33)
      hasWaited = frame.sincePreviousPickup.map { $0 >= usual / 2 } ?? false
      return false
    }
  }
}
