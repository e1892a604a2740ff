public import Dispatch
import Synchronization

/// Puts together what several cameras took at one time; Apple's `AVCaptureDataOutputSynchronizer`.
///
/// ```swift
/// let synchronizer = CaptureDataOutputSynchronizer(dataOutputs: [video])
/// for await set in synchronizer.frameSets {
///   compare(set[left], set[right])
/// }
/// ```
///
/// Its cameras are those that its outputs are connected to: several inputs of one session, or those
/// of several sessions. The first that gives frames leads; each of its frames comes with the nearest
/// of every other camera, where that is within half a frame duration: see ``tolerance``. A camera
/// that has no such frame, or has been silent for four, is named in ``CaptureFrameSet/missing``, and
/// is in again when it sends again. Frames that fit no set are told to the delegate and counted.
///
/// One core, three forms, as with ``CaptureVideoDataOutput``: a delegate, a closure and a loop. Frames
/// are in the format of their output's settings; the outputs' own consumers get theirs all the same.
/// A slow consumer loses sets and is told so. All members may be used from any thread. No more sets
/// follow once the synchronizer is let go of.
public final class CaptureDataOutputSynchronizer: Sendable {
  /// The outputs, in the order that decides which camera leads.
  public let dataOutputs: [CaptureVideoDataOutput]
  let core: FrameSynchronizer
  private let delegateReference = Mutex<SynchronizerDelegateReference?>(nil)

  /// Puts together the frames of outputs, from now on.
  ///
  /// - Parameter dataOutputs: The outputs, in or out of a session; one is enough where its session
  ///   has several inputs. One that is named twice counts once.
  public init(dataOutputs: [CaptureVideoDataOutput]) {
    self.dataOutputs = dataOutputs.reduce(into: []) { outputs, output in
      if !outputs.contains(where: { $0 === output }) { outputs.append(output) }
    }
    core = FrameSynchronizer(outputs: self.dataOutputs.map { ObjectIdentifier($0) })
    for output in self.dataOutputs { output.attach(core) }
  }

  deinit {
    for output in dataOutputs { output.detach(core) }
    core.delegateDelivery.setConsumer(nil)
    core.handlerDelivery.setConsumer(nil)
  }

  /// How far from the first camera's frame another's may be taken; nil, as it is until set, for half
  /// of the shorter frame duration of the two.
  public var tolerance: Duration? {
    get { core.tolerance }
    set { core.tolerance = newValue }
  }

  /// Whether sets in which a camera is missing are left out; false until it is set.
  ///
  /// Their frames count as `unmatched` then.
  public var requiresEveryCamera: Bool {
    get { core.requiresEveryCamera }
    set { core.requiresEveryCamera = newValue }
  }

  /// How many frames were in no set that was delivered, by reason; a late set counts once for each
  /// of its frames and each consumer.
  public var droppedFrameCounts: [FrameDropReason: UInt64] { core.counts.dropped }

  /// The same of one camera, as long as it is connected.
  public func droppedFrameCounts(of connection: CaptureConnection) -> [FrameDropReason: UInt64] {
    core.counts.dropped(of: connection)
  }
}

// MARK: - Consumers

extension CaptureDataOutputSynchronizer {
  /// Sets who gets the sets, and where.
  ///
  /// - Parameters:
  ///   - delegate: Gets the sets; not kept. nil for nobody.
  ///   - queue: Where it is called, one call at a time whatever kind of queue it is; nil for a
  ///     queue of the synchronizer's own.
  public func setDelegate(
    _ delegate: (any CaptureDataOutputSynchronizerDelegate)?, queue: DispatchQueue?
  ) {
    let reference = delegate.map { SynchronizerDelegateReference($0, queue: queue) }
    delegateReference.withLock { $0 = reference }
    core.delegateDelivery.setConsumer(
      reference.map { reference in
        FrameDelivery<ReceivedSet>.Consumer(
          queue: .delivering(on: queue), isOwnQueue: queue == nil
        ) { [weak self] letter in
          guard let self else { return }
          reference.receive(letter, from: self)
        }
      })
  }

  /// Who gets the sets; nil where nobody does, or the delegate has gone.
  public var delegate: (any CaptureDataOutputSynchronizerDelegate)? {
    delegateReference.withLock { $0 }?.delegate
  }

  /// Where the delegate is called; nil where it is on a queue of the synchronizer's own.
  public var delegateCallbackQueue: DispatchQueue? { delegateReference.withLock { $0 }?.queue }

  /// Sets a closure that gets the sets, besides the delegate.
  ///
  /// - Parameters:
  ///   - queue: Where it is called, one call at a time; nil for a queue of the synchronizer's own.
  ///   - handler: Called with each set; nil for nobody.
  public func setFrameSetHandler(
    queue: DispatchQueue? = nil, _ handler: (@Sendable (CaptureFrameSet) -> Void)?
  ) {
    core.handlerDelivery.setConsumer(
      handler.map { handler in
        FrameDelivery<ReceivedSet>.Consumer(
          queue: .delivering(on: queue), isOwnQueue: queue == nil
        ) { letter in
          if case .frame(let set) = letter { handler(CaptureFrameSet(set)) }
        }
      })
  }
}

// MARK: - The delegate's form

/// A delegate that is not kept, and where it wants to be called.
// Set once; the delegate's calls come on one serial queue.
private final class SynchronizerDelegateReference: @unchecked Sendable {
  private(set) weak var delegate: (any CaptureDataOutputSynchronizerDelegate)?
  let queue: DispatchQueue?

  init(_ delegate: any CaptureDataOutputSynchronizerDelegate, queue: DispatchQueue?) {
    self.delegate = delegate
    self.queue = queue
  }

  func receive(
    _ letter: FrameLetter<ReceivedSet>, from synchronizer: CaptureDataOutputSynchronizer
  ) {
    guard let delegate else { return }
    switch letter {
    case .frame(let set):
      delegate.dataOutputSynchronizer(synchronizer, didOutput: CaptureFrameSet(set))
    case .dropped(let drop, let connection):
      delegate.dataOutputSynchronizer(synchronizer, didDrop: drop, from: connection)
    }
  }
}
