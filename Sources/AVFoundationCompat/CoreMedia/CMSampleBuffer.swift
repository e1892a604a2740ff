public import CaptureKitLinux
import Imaging
import Synchronization

/// One frame of a video data output, or what is left of one that was dropped; Core Media's
/// `CMSampleBuffer`.
///
/// It, or its image buffer, keeps the frame's memory: let go of both soon. May be used from any
/// thread.
public final class CMSampleBuffer: Sendable {
  /// The frame; nil where it was dropped.
  public let frame: CapturedFrame?
  /// Why there is no frame; nil where there is one.
  public let droppedFrame: DroppedFrame?
  private let image = Mutex<CVPixelBuffer?>(nil)

  init(_ frame: CapturedFrame) {
    self.frame = frame
    droppedFrame = nil
  }

  init(_ drop: DroppedFrame) {
    frame = nil
    droppedFrame = drop
  }

  /// The frame's pixels, the same object each time; nil for a dropped frame and for one that comes
  /// compressed, as of a JPEG camera with empty `videoSettings`.
  public var imageBuffer: CVImageBuffer? {
    if let made = image.withLock({ $0 }) { return made }
    guard let pixels = frame?.pixelBuffer else { return nil }
    let fresh = CVPixelBuffer(pixels)
    return image.withLock { image in
      let buffer = image ?? fresh
      image = buffer
      return buffer
    }
  }

  /// When the frame was taken, on the host's monotonic clock; `CMTime.invalid` for a dropped one
  /// that never came here.
  public var presentationTimeStamp: CMTime {
    let time = frame?.presentationTime ?? droppedFrame?.presentationTime
    return time.map { CMTime($0) } ?? .invalid
  }

  /// How long the frame is to be shown; `CMTime.invalid` where the camera does not say.
  public var duration: CMTime { CMTime(frame?.duration) }

  /// What the frame is; nil where it was dropped.
  public var formatDescription: CMFormatDescription? {
    frame.map {
      CMFormatDescription(
        pixelFormat: $0.pixelFormat, range: $0.color.range, dimensions: $0.dimensions)
    }
  }

  /// How many frames it has: one, or none.
  public var numSamples: Int { frame == nil ? 0 : 1 }

  /// Whether it can be used; always.
  public var isValid: Bool { true }
}

// MARK: - Core Media's functions

/// The frame's pixels: see ``CMSampleBuffer/imageBuffer``.
public func CMSampleBufferGetImageBuffer(_ buffer: CMSampleBuffer) -> CVImageBuffer? {
  buffer.imageBuffer
}

/// When the frame was taken: see ``CMSampleBuffer/presentationTimeStamp``.
public func CMSampleBufferGetPresentationTimeStamp(_ buffer: CMSampleBuffer) -> CMTime {
  buffer.presentationTimeStamp
}

/// How long the frame is to be shown.
public func CMSampleBufferGetDuration(_ buffer: CMSampleBuffer) -> CMTime { buffer.duration }

/// What the frame is.
public func CMSampleBufferGetFormatDescription(_ buffer: CMSampleBuffer) -> CMFormatDescription? {
  buffer.formatDescription
}

/// How many frames it has: one, or none.
public func CMSampleBufferGetNumSamples(_ buffer: CMSampleBuffer) -> Int { buffer.numSamples }

/// Whether it can be used; always.
public func CMSampleBufferIsValid(_ buffer: CMSampleBuffer) -> Bool { buffer.isValid }

/// Whether the frame's pixels are there; always.
public func CMSampleBufferDataIsReady(_ buffer: CMSampleBuffer) -> Bool { true }

// MARK: - Why a frame was dropped

/// The key under which ``CMGetAttachment(_:key:attachmentModeOut:)`` says why a frame was dropped.
public let kCMSampleBufferAttachmentKey_DroppedFrameReason: String = "DroppedFrameReason"
/// The delegate was busy with an earlier frame.
public let kCMSampleBufferDroppedFrameReason_FrameWasLate: String = "FrameWasLate"
/// The delegate keeps so many frames that there was no memory for another.
public let kCMSampleBufferDroppedFrameReason_OutOfBuffers: String = "OutOfBuffers"
/// Nobody knows what came between: the stream was interrupted, or frames were lost or damaged.
public let kCMSampleBufferDroppedFrameReason_Discontinuity: String = "Discontinuity"

/// What is attached to a sample buffer.
///
/// - Parameters:
///   - buffer: The sample buffer.
///   - key: ``kCMSampleBufferAttachmentKey_DroppedFrameReason``; there is nothing else.
///   - attachmentModeOut: nil; nothing is written there.
/// - Returns: Why the frame was dropped, one of Core Media's three reasons;
///   ``CMSampleBuffer/droppedFrame`` knows more. nil for a frame that was not.
public func CMGetAttachment(
  _ buffer: CMSampleBuffer, key: String, attachmentModeOut: Never?
) -> String? {
  guard key == kCMSampleBufferAttachmentKey_DroppedFrameReason else { return nil }
  return buffer.droppedFrame.map { drop in
    switch drop.reason {
    case .late: kCMSampleBufferDroppedFrameReason_FrameWasLate
    case .outOfBuffers: kCMSampleBufferDroppedFrameReason_OutOfBuffers
    case .discontinuity, .corrupt, .duplicate, .lost, .blank, .unmatched:
      kCMSampleBufferDroppedFrameReason_Discontinuity
    }
  }
}
