public import CaptureKitLinux
public import Dispatch
import Foundation
import Synchronization

/// Delivers frames as sample buffers: a `CaptureVideoDataOutput` with Apple's settings dictionary
/// and delegate.
///
/// ```swift
/// let output = AVCaptureVideoDataOutput()
/// output.videoSettings = [kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA]
/// output.setSampleBufferDelegate(self, queue: DispatchQueue(label: "frames"))
/// if session.canAddOutput(output) { session.addOutput(output) }
/// ```
///
/// All members may be used from any thread.
public final class AVCaptureVideoDataOutput: CaptureOutput {
  let base = CaptureVideoDataOutput()
  private let state = Mutex(State())

  private struct State {
    var pixelFormatType: OSType? = kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
    var delivery: SampleBufferDelivery?
    var lastError: CaptureError?
  }

  /// Makes an output that is not connected yet: add it to a session.
  public init() {
    base.videoSettings = .pixelFormat(.nv12, range: .limited)
  }

  /// The connections from the session's cameras.
  public var connections: [AVCaptureConnection] { base.connections }

  /// The connection from the session's first camera; nil before there is one.
  public func connection(with mediaType: AVMediaType) -> AVCaptureConnection? {
    base.connection(with: mediaType)
  }

  /// Whether a frame that waits for a busy delegate is dropped when a newer one comes; true until
  /// it is set.
  public var alwaysDiscardsLateVideoFrames: Bool {
    get { base.alwaysDiscardsLateVideoFrames }
    set { base.alwaysDiscardsLateVideoFrames = newValue }
  }

  /// Sets who gets the frames, and where.
  ///
  /// - Parameters:
  ///   - delegate: Gets the frames; not kept. nil for nobody.
  ///   - queue: Where it is called, one call at a time; nil for a queue of the output's own.
  public func setSampleBufferDelegate(
    _ delegate: (any AVCaptureVideoDataOutputSampleBufferDelegate)?, queue: DispatchQueue?
  ) {
    let delivery = delegate.map { SampleBufferDelivery($0, of: self) }
    base.setSampleBufferDelegate(delivery, queue: queue)
    let old = state.withLock { state in
      defer { state.delivery = delivery }
      return state.delivery
    }
    withExtendedLifetime(old) {}
  }

  /// Who gets the frames; nil where nobody does, or the delegate has gone.
  public var sampleBufferDelegate: (any AVCaptureVideoDataOutputSampleBufferDelegate)? {
    state.withLock { $0.delivery }?.delegate
  }

  /// Where the delegate is called; nil where it is on a queue of the output's own.
  public var sampleBufferCallbackQueue: DispatchQueue? { base.sampleBufferCallbackQueue }
}

// MARK: - Settings

extension AVCaptureVideoDataOutput {
  /// What frames are delivered as: `kCVPixelBufferPixelFormatTypeKey` with one of
  /// ``availableVideoPixelFormatTypes``; `420v` until set, and where it is set to nil.
  ///
  /// An empty dictionary asks for the camera's own format, whose frames have no image buffer where
  /// the camera sends JPEG. Takes effect with the next frame. What is not available, and other
  /// keys, change nothing and are kept in ``lastError``.
  public var videoSettings: [String: Any]! {
    get {
      state.withLock { $0.pixelFormatType }.map { [kCVPixelBufferPixelFormatTypeKey: $0] } ?? [:]
    }
    set {
      do {
        let type = try Self.pixelFormatType(in: newValue)
        let settings = try type.map(Self.settings(for:)) ?? .native
        try base.setVideoSettings(settings)
        state.withLock { $0.pixelFormatType = type }
      } catch {
        let refusal = error as? CaptureError ?? CaptureError(.unsupportedFormat, "\(error)")
        state.withLock { $0.lastError = refusal }
      }
    }
  }

  /// The pixel formats that frames can be delivered as, the one that costs least first.
  public var availableVideoPixelFormatTypes: [OSType] {
    base.availableVideoPixelFormatTypes.flatMap { format in
      PixelFormatType.all.filter { $0.format == format }.map(\.type)
    }
  }

  /// The last refused setting; nil where there was none.
  public var lastError: CaptureError? { state.withLock { $0.lastError } }

  /// The pixel format that a dictionary asks for; nil for the camera's own.
  private static func pixelFormatType(in settings: [String: Any]?) throws -> OSType? {
    guard let settings else { return kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange }
    if let key = settings.keys.sorted().first(where: { $0 != kCVPixelBufferPixelFormatTypeKey }) {
      throw CaptureError(
        .unsupportedFormat,
        "Frames have a pixel format and nothing else: leave “\(key)” out of videoSettings.")
    }
    guard let value = settings[kCVPixelBufferPixelFormatTypeKey] else { return nil }
    guard let type = OSType(of: value) else {
      throw CaptureError(.unsupportedFormat, "“\(value)” is no pixel format.")
    }
    return type
  }

  private static func settings(
    for type: OSType
  ) throws -> CaptureVideoDataOutput.VideoSettings {
    guard let known = PixelFormatType.all.first(where: { $0.type == type }) else {
      throw CaptureError(
        .unsupportedFormat,
        "Frames cannot be delivered as pixel format \(type): use one of "
          + "availableVideoPixelFormatTypes.")
    }
    return known.settings
  }
}

extension OSType {
  /// A number of any of the types that end up in dictionaries.
  fileprivate init?(of value: Any) {
    switch value {
    case let type as OSType: self = type
    case let number as Int: self.init(exactly: number)
    case let number as NSNumber: self = number.uint32Value
    default: return nil
    }
  }
}

// MARK: - CaptureOutput

extension AVCaptureVideoDataOutput {
  /// Takes note of the connection; the session calls it.
  public func didConnect(_ connection: CaptureConnection) { base.didConnect(connection) }

  /// Forgets the connection; the session calls it.
  public func didDisconnect(_ connection: CaptureConnection) { base.didDisconnect(connection) }

  /// Takes note of the start; the session calls it.
  public func connection(
    _ connection: CaptureConnection, didStartWith format: CaptureFormat, at time: HostTime
  ) {
    base.connection(connection, didStartWith: format, at: time)
  }

  /// Takes note of the end; the session calls it.
  public func connection(_ connection: CaptureConnection, didEndWith error: CaptureError?) {
    base.connection(connection, didEndWith: error)
  }

  /// Hands the frame to the delegate; the session calls it.
  public func connection(_ connection: CaptureConnection, didReceive frame: CapturedFrame) {
    base.connection(connection, didReceive: frame)
  }

  /// Tells the delegate; the session calls it.
  public func connection(_ connection: CaptureConnection, didDrop frame: DroppedFrame) {
    base.connection(connection, didDrop: frame)
  }

  /// Takes note; the session calls it.
  public func deliveryDidEnd() { base.deliveryDidEnd() }
}

// MARK: - The delegate's form

/// Makes sample buffers of frames for a delegate that is not kept.
private final class SampleBufferDelivery: CaptureVideoDataOutputSampleBufferDelegate,
  @unchecked Sendable  // set once; the delegate's calls come on one serial queue
{
  private(set) weak var delegate: (any AVCaptureVideoDataOutputSampleBufferDelegate)?
  private weak var output: AVCaptureVideoDataOutput?

  init(
    _ delegate: any AVCaptureVideoDataOutputSampleBufferDelegate,
    of output: AVCaptureVideoDataOutput
  ) {
    self.delegate = delegate
    self.output = output
  }

  func captureOutput(
    _ base: any CaptureOutput, didOutput frame: CapturedFrame, from connection: CaptureConnection
  ) {
    guard let delegate, let output else { return }
    delegate.captureOutput(output, didOutput: CMSampleBuffer(frame), from: connection)
  }

  func captureOutput(
    _ base: any CaptureOutput, didDrop frame: DroppedFrame, from connection: CaptureConnection
  ) {
    guard let delegate, let output else { return }
    delegate.captureOutput(output, didDrop: CMSampleBuffer(frame), from: connection)
  }
}
