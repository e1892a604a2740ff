public import CaptureKitLinux
public import Dispatch
import Synchronization

/// Puts together what the cameras of several outputs took at one time: a
/// `CaptureDataOutputSynchronizer` with Apple's collections and delegate.
///
/// ```swift
/// let synchronizer = AVCaptureDataOutputSynchronizer(dataOutputs: [frontOutput, backOutput])
/// synchronizer.setDelegate(self, queue: DispatchQueue(label: "frames"))
/// ```
///
/// All members may be used from any thread.
public final class AVCaptureDataOutputSynchronizer: Sendable {
  /// The outputs, the most important one first.
  public let dataOutputs: [any AVCaptureOutput]
  private let base: CaptureDataOutputSynchronizer
  private let delivery = Mutex<SynchronizedDataDelivery?>(nil)

  /// Puts together the frames of outputs, from now on.
  ///
  /// - Parameter dataOutputs: Video data outputs; others give nothing to put together.
  public init(dataOutputs: [any AVCaptureOutput]) {
    self.dataOutputs = dataOutputs
    base = CaptureDataOutputSynchronizer(
      dataOutputs: dataOutputs.compactMap { output in
        (output as? AVCaptureVideoDataOutput)?.base ?? output as? CaptureVideoDataOutput
      })
  }

  /// Sets who gets the frames, and where.
  ///
  /// - Parameters:
  ///   - delegate: Gets the frames; not kept. nil for nobody.
  ///   - delegateCallbackQueue: Where it is called, one call at a time; nil for a queue of the
  ///     synchronizer's own.
  public func setDelegate(
    _ delegate: (any AVCaptureDataOutputSynchronizerDelegate)?,
    queue delegateCallbackQueue: DispatchQueue?
  ) {
    let delivery = delegate.map { SynchronizedDataDelivery($0, of: self) }
    base.setDelegate(delivery, queue: delegateCallbackQueue)
    let old = self.delivery.withLock { current in
      defer { current = delivery }
      return current
    }
    withExtendedLifetime(old) {}
  }

  /// Who gets the frames; nil where nobody does, or the delegate has gone.
  public var delegate: (any AVCaptureDataOutputSynchronizerDelegate)? {
    delivery.withLock { $0 }?.delegate
  }

  /// Where the delegate is called; nil where it is on a queue of the synchronizer's own.
  public var delegateCallbackQueue: DispatchQueue? { base.delegateCallbackQueue }
}

/// Gets what was taken at one time.
public protocol AVCaptureDataOutputSynchronizerDelegate: AnyObject, SendableMetatype {
  /// Frames of one time are there.
  func dataOutputSynchronizer(
    _ synchronizer: AVCaptureDataOutputSynchronizer,
    didOutput synchronizedDataCollection: AVCaptureSynchronizedDataCollection)
}

// MARK: - Collections

/// What was taken at one time, by output.
public final class AVCaptureSynchronizedDataCollection: Sequence {
  private let data: [(output: any AVCaptureOutput, data: AVCaptureSynchronizedSampleBufferData)]

  init(_ set: CaptureFrameSet) {
    data = set.members.compactMap { member in
      member.connection.output.map { output in
        (
          output,
          AVCaptureSynchronizedSampleBufferData(sampleBuffer: CMSampleBuffer(member.frame))
        )
      }
    }
  }

  /// What an output has in the collection; nil where its camera has no frame of this time.
  public func synchronizedData(for captureOutput: any AVCaptureOutput) -> AVCaptureSynchronizedData?
  {
    data.first { $0.output === captureOutput }?.data
  }

  /// What an output has in the collection; nil where its camera has no frame of this time.
  public subscript(key: any AVCaptureOutput) -> AVCaptureSynchronizedData? {
    synchronizedData(for: key)
  }

  /// How many outputs have something in it.
  public var count: Int { data.count }

  /// What is in it, in the order of the synchronizer's outputs.
  public func makeIterator() -> IndexingIterator<[AVCaptureSynchronizedData]> {
    data.map { $0.data as AVCaptureSynchronizedData }.makeIterator()
  }
}

/// What one output has of a moment.
public class AVCaptureSynchronizedData {
  /// When it was taken.
  public let timestamp: CMTime

  fileprivate init(timestamp: CMTime) {
    self.timestamp = timestamp
  }
}

/// A frame of a video data output.
public final class AVCaptureSynchronizedSampleBufferData: AVCaptureSynchronizedData {
  /// The frame.
  public let sampleBuffer: CMSampleBuffer

  fileprivate init(sampleBuffer: CMSampleBuffer) {
    self.sampleBuffer = sampleBuffer
    super.init(timestamp: CMSampleBufferGetPresentationTimeStamp(sampleBuffer))
  }

  /// False: what was dropped is not in a collection.
  public var sampleBufferWasDropped: Bool { false }
}

// MARK: - The delegate's form

/// Makes collections of sets for a delegate that is not kept.
private final class SynchronizedDataDelivery: CaptureDataOutputSynchronizerDelegate,
  @unchecked Sendable  // set once; the delegate's calls come on one serial queue
{
  private(set) weak var delegate: (any AVCaptureDataOutputSynchronizerDelegate)?
  private weak var synchronizer: AVCaptureDataOutputSynchronizer?

  init(
    _ delegate: any AVCaptureDataOutputSynchronizerDelegate,
    of synchronizer: AVCaptureDataOutputSynchronizer
  ) {
    self.delegate = delegate
    self.synchronizer = synchronizer
  }

  func dataOutputSynchronizer(
    _ base: CaptureDataOutputSynchronizer, didOutput frameSet: CaptureFrameSet
  ) {
    guard let delegate, let synchronizer else { return }
    delegate.dataOutputSynchronizer(
      synchronizer, didOutput: AVCaptureSynchronizedDataCollection(frameSet))
  }
}
