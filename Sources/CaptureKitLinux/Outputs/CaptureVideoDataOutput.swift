public import Dispatch
import Imaging
import Synchronization

/// Delivers frames; Apple's `AVCaptureVideoDataOutput`.
///
/// One core, three forms: a delegate as on Apple's systems, a closure, and a loop.
///
/// ```swift
/// let video = CaptureVideoDataOutput()
/// video.videoSettings = .pixelFormat(.bgra)
/// try session.add(video)
/// for await frame in video.frames {
///   process(frame.bytes, frame.width, frame.height, at: frame.presentationTime)
/// }
/// ```
///
/// Frames are converted on a queue of the output's own, once for all outputs and consumers that
/// want the same. A consumer that is slow, or keeps frames, loses frames and is told so; the camera
/// and other consumers do not notice. All members may be used from any thread.
public final class CaptureVideoDataOutput: CaptureOutput {
  struct State {
    var connections: [CaptureConnection] = []
    var videoSettings = VideoSettings.native
    var discardsLate = true
    var delegate: DelegateReference?
    var subscriptions: [FrameSubscription<ReceivedFrame>] = []
    /// Who puts the frames together with those of other cameras.
    var synchronizers: [FrameSynchronizer] = []
    var lastError: CaptureError?
  }

  let state = Mutex(State())
  private let counts: FrameCounts
  private let workshop: FrameWorkshop
  private let delegateDelivery: FrameDelivery<ReceivedFrame>
  private let handlerDelivery: FrameDelivery<ReceivedFrame>

  /// Makes an output that is not connected yet: add it to a session.
  public init() {
    counts = FrameCounts()
    workshop = FrameWorkshop(counts: counts)
    delegateDelivery = FrameDelivery(workshop: workshop)
    handlerDelivery = FrameDelivery(workshop: workshop)
  }

  /// The connections from the session's cameras.
  public var connections: [CaptureConnection] { state.withLock { $0.connections } }

  /// The connection from the session's first camera; nil before there is one.
  public func connection(with mediaType: MediaType) -> CaptureConnection? {
    mediaType == .video ? connections.first : nil
  }

  /// Whether a frame that waits for a busy consumer is dropped when a newer one comes; true until
  /// it is set.
  ///
  /// Where it is false, up to four frames wait for a consumer, and further ones are dropped as
  /// `outOfBuffers`.
  public var alwaysDiscardsLateVideoFrames: Bool {
    get { state.withLock { $0.discardsLate } }
    set {
      let subscriptions = state.withLock { state in
        state.discardsLate = newValue
        return state.subscriptions
      }
      delegateDelivery.setDiscardsLate(newValue)
      handlerDelivery.setDiscardsLate(newValue)
      for subscription in subscriptions { subscription.setDiscardsLate(newValue) }
    }
  }

  /// How many frames consumers did not get, by reason, since the output was made.
  ///
  /// What the session dropped counts once, what was late or too much for a consumer once for each
  /// consumer.
  public var droppedFrameCounts: [FrameDropReason: UInt64] { counts.dropped }
}

// MARK: - Consumers

extension CaptureVideoDataOutput {
  /// Sets who gets the frames, and where.
  ///
  /// May be called while frames come: each frame goes to the old delegate or to the new one, and
  /// the new one is not called before the old one's last call has returned. With nil no call
  /// follows one that is under way.
  ///
  /// - Parameters:
  ///   - delegate: Gets the frames; not kept. nil for nobody.
  ///   - queue: Where it is called, one call at a time whatever kind of queue it is; nil for a
  ///     queue of the output's own.
  public func setSampleBufferDelegate(
    _ delegate: (any CaptureVideoDataOutputSampleBufferDelegate)?, queue: DispatchQueue?
  ) {
    let reference = delegate.map { DelegateReference($0, queue: queue) }
    state.withLock { $0.delegate = reference }
    delegateDelivery.setConsumer(
      reference.map { reference in
        FrameDelivery<ReceivedFrame>.Consumer(
          queue: .delivering(on: queue), isOwnQueue: queue == nil
        ) { [weak self] letter in
          guard let self else { return }
          reference.receive(letter, from: self)
        }
      })
  }

  /// Who gets the frames; nil where nobody does, or the delegate has gone.
  public var sampleBufferDelegate: (any CaptureVideoDataOutputSampleBufferDelegate)? {
    state.withLock { $0.delegate }?.delegate
  }

  /// Where the delegate is called; nil where it is on a queue of the output's own.
  public var sampleBufferCallbackQueue: DispatchQueue? { state.withLock { $0.delegate }?.queue }

  /// Sets a closure that gets the frames, besides the delegate; replaced as the delegate is.
  ///
  /// - Parameters:
  ///   - queue: Where it is called, one call at a time; nil for a queue of the output's own.
  ///   - handler: Called with each frame; nil for nobody.
  public func setFrameHandler(
    queue: DispatchQueue? = nil, _ handler: (@Sendable (CapturedFrame) -> Void)?
  ) {
    handlerDelivery.setConsumer(
      handler.map { handler in
        FrameDelivery<ReceivedFrame>.Consumer(
          queue: .delivering(on: queue), isOwnQueue: queue == nil
        ) { letter in
          if case .frame(let received) = letter { handler(received.frame) }
        }
      })
  }

  func subscribe() -> FrameSubscription<ReceivedFrame> {
    state.withLock { state in
      let subscription = FrameSubscription(workshop: workshop, discardsLate: state.discardsLate)
      state.subscriptions.append(subscription)
      return subscription
    }
  }

  func unsubscribe(_ subscription: FrameSubscription<ReceivedFrame>) {
    state.withLock { $0.subscriptions.removeAll { $0 === subscription } }
  }
}

// MARK: - Synchronizers

extension CaptureVideoDataOutput {
  /// Hands frames to a synchronizer, too, until ``detach(_:)``.
  func attach(_ synchronizer: FrameSynchronizer) {
    let connections = state.withLock { state in
      state.synchronizers.append(synchronizer)
      return state.connections
    }
    for connection in connections {
      synchronizer.add(connection, of: self)
      // One that was removed meanwhile was so before it was there, and would be missed for ever.
      if !self.connections.contains(where: { $0 === connection }) {
        synchronizer.remove(connection)
      }
    }
  }

  func detach(_ synchronizer: FrameSynchronizer) {
    state.withLock { $0.synchronizers.removeAll { $0 === synchronizer } }
  }
}

extension DispatchQueue {
  /// A serial queue on top of a consumer's: calls come one after the other also where that one is
  /// concurrent.
  static func delivering(on queue: DispatchQueue?) -> DispatchQueue {
    DispatchQueue(label: "CaptureKitLinux.video.callbacks", target: queue)
  }
}

// MARK: - CaptureOutput

extension CaptureVideoDataOutput {
  /// Takes note of the connection; the session calls it.
  public func didConnect(_ connection: CaptureConnection) {
    let synchronizers = state.withLock { state in
      state.connections.append(connection)
      return state.synchronizers
    }
    for synchronizer in synchronizers { synchronizer.add(connection, of: self) }
  }

  /// Forgets the connection; the session calls it.
  public func didDisconnect(_ connection: CaptureConnection) {
    let synchronizers = state.withLock { state in
      state.connections.removeAll { $0 === connection }
      return state.synchronizers
    }
    for synchronizer in synchronizers { synchronizer.remove(connection) }
  }

  /// Takes note of the start; the session calls it.
  public func connection(
    _ connection: CaptureConnection, didStartWith format: CaptureFormat, at time: HostTime
  ) {
    for synchronizer in state.withLock({ $0.synchronizers }) {
      synchronizer.cameraStarted(connection, with: format)
    }
  }

  /// Takes note of the end; the session calls it.
  public func connection(_ connection: CaptureConnection, didEndWith error: CaptureError?) {
    for synchronizer in state.withLock({ $0.synchronizers }) {
      synchronizer.cameraEnded(connection)
    }
  }

  /// Hands the frame to the consumers; the session calls it.
  public func connection(_ connection: CaptureConnection, didReceive frame: CapturedFrame) {
    let (settings, subscriptions, synchronizers) = state.withLock {
      ($0.videoSettings, $0.subscriptions, $0.synchronizers)
    }
    let wish = settings.pixelFormat.map {
      FrameConversions.Wish(
        format: $0, range: settings.range, orientation: connection.frameOrientation)
    }
    let received = ReceivedFrame(frame: frame, source: connection, wish: wish)
    note(delegateDelivery.receive(received))
    note(handlerDelivery.receive(received))
    for subscription in subscriptions { note(subscription.receive(received)) }
    for synchronizer in synchronizers {
      synchronizer.receive(ReceivedSet.Member(received: received, workshop: workshop))
    }
  }

  /// What a consumer misses is told to the session, too.
  private func note(_ drops: [FrameDrop<CaptureConnection>]) {
    for drop in drops {
      counts.note(drop.drop.reason, count: drop.drop.count)
      drop.source.noteLateFrames(drop.drop.count)
    }
  }

  /// Tells the delegate; the session calls it.
  public func connection(_ connection: CaptureConnection, didDrop frame: DroppedFrame) {
    counts.note(frame.reason, count: frame.count)
    delegateDelivery.receive(frame, from: connection)
    for synchronizer in state.withLock({ $0.synchronizers }) {
      synchronizer.receive(frame, from: connection)
    }
  }

  /// Ends the loops over ``frames``; the session calls it.
  public func deliveryDidEnd() {
    let (subscriptions, synchronizers) = state.withLock { state in
      defer { state.subscriptions = [] }
      return (state.subscriptions, state.synchronizers)
    }
    for subscription in subscriptions { subscription.end() }
    for synchronizer in synchronizers { synchronizer.deliveryEnded(of: self) }
  }
}

// MARK: - The delegate's form

/// A delegate that is not kept, and where it wants to be called.
// Set once; the delegate's calls come on one serial queue.
final class DelegateReference: @unchecked Sendable {
  private(set) weak var delegate: (any CaptureVideoDataOutputSampleBufferDelegate)?
  let queue: DispatchQueue?

  init(_ delegate: any CaptureVideoDataOutputSampleBufferDelegate, queue: DispatchQueue?) {
    self.delegate = delegate
    self.queue = queue
  }

  func receive(_ letter: FrameLetter<ReceivedFrame>, from output: CaptureVideoDataOutput) {
    guard let delegate else { return }
    switch letter {
    case .frame(let received):
      delegate.captureOutput(output, didOutput: received.frame, from: received.source)
    case .dropped(let drop, let connection):
      delegate.captureOutput(output, didDrop: drop, from: connection)
    }
  }
}
