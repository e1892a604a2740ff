/// One photo request from its begin to its end; pure.
///
/// Events go in, actions come out. Whatever the order of events, `willBegin` is the first action and
/// `finish` the last, each exactly once.
struct PhotoRequestMachine {
  /// What is to be done, in this order.
  enum Action: Equatable {
    case announceBegin
    case announceCapture
    /// Make the picture of the frame that came with the event.
    case makePicture
    /// The picture that came with the event is the photo.
    case deliver
    case fail(CaptureError.Code)
    case finish
  }

  /// What is known of a frame when it comes.
  struct FrameFacts {
    var timestamp: FrameTimestamp
    /// The time between frames; nil where nobody knows.
    var duration: Duration?
    /// The time since the frame before was picked up; nil for a stream's first.
    var sincePreviousPickup: Duration?
  }

  private enum State { case new, waiting, processing, over }

  private var state = State.new
  private let requestedAt: HostTime
  private let notBefore: HostTime
  private var pickups = PickupRule()
  private var hasAnnouncedCapture = false
  private var pendingEnd: CaptureError.Code?

  /// Describes a request.
  ///
  /// - Parameters:
  ///   - requestedAt: A frame exposed before this moment is not the photo.
  ///   - notBefore: A frame taken before this moment is not settled.
  init(requestedAt: HostTime, notBefore: HostTime) {
    self.requestedAt = requestedAt
    self.notBefore = notBefore
  }

  var isWaiting: Bool { state == .waiting }
  var isOver: Bool { state == .over }

  mutating func begin() -> [Action] {
    guard state == .new else { return [] }
    state = .waiting
    return [.announceBegin]
  }

  mutating func receive(_ frame: FrameFacts) -> [Action] {
    guard state == .waiting, isFresh(frame), frame.timestamp.time >= notBefore else { return [] }
    state = .processing
    defer { hasAnnouncedCapture = true }
    return hasAnnouncedCapture ? [.makePicture] : [.announceCapture, .makePicture]
  }

  /// The picture is made.
  mutating func pictureIsMade() -> [Action] {
    guard state == .processing else { return [] }
    state = .over
    return [.deliver, .finish]
  }

  /// No picture could be made of the frame; a damaged frame is made up for by the next one.
  mutating func pictureFailed(_ code: CaptureError.Code) -> [Action] {
    guard state == .processing else { return [] }
    if code == .corruptFrame, pendingEnd == nil {
      state = .waiting
      return []
    }
    state = .over
    // A deadline that only damaged frames have met is told as what it was missed for.
    let isOutranked = code == .corruptFrame && pendingEnd != .timedOut
    return [.fail(isOutranked ? pendingEnd ?? code : code), .finish]
  }

  /// No more frames will come, or not in time; a picture that is being made is still delivered.
  mutating func end(_ code: CaptureError.Code) -> [Action] {
    switch state {
    case .new, .over: return []
    case .processing:
      pendingEnd = pendingEnd ?? code
      return []
    case .waiting:
      state = .over
      return [.fail(code == .timedOut && hasAnnouncedCapture ? .corruptFrame : code), .finish]
    }
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

  /// Frames without a stamp: those that were waiting already are old, and so may be the first that had
  /// to be waited for, since its exposure may have begun before the request.
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
