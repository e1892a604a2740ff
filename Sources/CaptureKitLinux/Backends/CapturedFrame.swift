public import Foundation
public import Imaging

/// One frame as the camera sent it: its bytes, what they are, and when they were taken.
///
/// A value; copying it copies no pixels. The bytes may be the driver's own buffer, which goes back
/// to the driver when the last copy of the value goes: let go of frames soon. They never change
/// while a copy lives.
public struct CapturedFrame: Sendable {
  /// How the bytes are to be read.
  public let pixelFormat: PixelFormat
  /// The picture's size in pixels.
  public let dimensions: VideoDimensions
  /// Where the samples lie; nil for a compressed format, and for one that `Imaging` does not read.
  public let layout: PixelLayout?
  /// What the samples stand for, as far as the driver says; defaults resolved.
  public let color: ColorDescription
  /// The driver's count of frames; a gap is a frame that was lost before it came here.
  public let sequence: UInt64
  /// When the frame was taken.
  public internal(set) var timestamp: FrameTimestamp
  /// The time that the frame is to be shown; nil where the camera does not say.
  public let duration: FrameDuration?
  /// Why the frame is not fit to be used; nil where it is.
  public let dropReason: FrameDropReason?
  /// How the camera was set when the frame was taken, as far as its backend knows; nil where it
  /// does not say, as always with the kernel's cameras.
  public var settings: FrameSettings?
  var storage: FrameStorage
  let conversions = FrameConversions()

  init(
    pixelFormat: PixelFormat, dimensions: VideoDimensions, layout: PixelLayout?,
    color: ColorDescription, sequence: UInt64, timestamp: FrameTimestamp, duration: FrameDuration?,
    dropReason: FrameDropReason?, storage: FrameStorage
  ) {
    self.pixelFormat = pixelFormat
    self.dimensions = dimensions
    self.layout = layout
    self.color = color
    self.sequence = sequence
    self.timestamp = timestamp
    self.duration = duration
    self.dropReason = dropReason
    self.storage = storage
  }
}

// MARK: - Frames of one's own

extension CapturedFrame {
  /// Makes a frame of uncompressed samples; for capture backends.
  ///
  /// - Parameters:
  ///   - bytes: The samples, laid out as `layout` says in one block; the array is shared, not
  ///     copied. Too few make the frame count as damaged.
  ///   - layout: Where the samples lie.
  ///   - color: What they stand for; nil for what the format usually means.
  ///   - sequence: The frame's number, growing by one from frame to frame.
  ///   - timestamp: When it was taken.
  ///   - duration: The time that it is to be shown, where known.
  ///   - isDamaged: Whether it is known to be damaged.
  public init(
    bytes: [UInt8], layout: PixelLayout, color: ColorDescription? = nil,
    sequence: UInt64, timestamp: FrameTimestamp, duration: FrameDuration? = nil,
    isDamaged: Bool = false
  ) {
    let isShort = layout.blockCount != 1 || bytes.count < layout.byteCount(ofBlock: 0)
    self.init(
      pixelFormat: layout.format,
      dimensions: VideoDimensions(width: layout.width, height: layout.height), layout: layout,
      color: color ?? .assumed(for: layout.format), sequence: sequence, timestamp: timestamp,
      duration: duration, dropReason: isDamaged || isShort ? .corrupt : nil,
      storage: .one(SharedBytes(bytes)))
  }

  /// Makes a frame of a JPEG picture; for capture backends.
  ///
  /// - Parameters:
  ///   - jpeg: The picture's file bytes, complete or not; shared, not copied.
  ///   - dimensions: The picture's size in pixels.
  ///   - sequence: The frame's number, growing by one from frame to frame.
  ///   - timestamp: When it was taken.
  ///   - duration: The time that it is to be shown, where known.
  ///   - isDamaged: Whether it is known to be damaged.
  public init(
    jpeg: Data, dimensions: VideoDimensions, sequence: UInt64, timestamp: FrameTimestamp,
    duration: FrameDuration? = nil, isDamaged: Bool = false
  ) {
    self.init(
      pixelFormat: .mjpeg, dimensions: dimensions, layout: nil, color: .jpeg,
      sequence: sequence, timestamp: timestamp, duration: duration,
      dropReason: isDamaged || jpeg.isEmpty ? .corrupt : nil, storage: .one(SharedBytes(jpeg)))
  }

  /// Makes a frame of bytes that nothing here makes a picture of, H.264 for instance; for capture
  /// backends.
  ///
  /// - Parameters:
  ///   - bytes: The frame as the camera sent it; shared, not copied.
  ///   - format: What they are.
  ///   - dimensions: The picture's size in pixels.
  ///   - sequence: The frame's number, growing by one from frame to frame.
  ///   - timestamp: When it was taken.
  ///   - duration: The time that it is to be shown, where known.
  ///   - isDamaged: Whether it is known to be damaged.
  public init(
    compressed bytes: Data, as format: PixelFormat, dimensions: VideoDimensions, sequence: UInt64,
    timestamp: FrameTimestamp, duration: FrameDuration? = nil, isDamaged: Bool = false
  ) {
    self.init(
      pixelFormat: format, dimensions: dimensions, layout: nil, color: .assumed(for: format),
      sequence: sequence, timestamp: timestamp, duration: duration,
      dropReason: isDamaged || bytes.isEmpty ? .corrupt : nil, storage: .one(SharedBytes(bytes)))
  }

  /// Makes a frame without bytes in place of one that could not be handed out; for capture
  /// backends.
  ///
  /// The session drops it, tells its outputs why, and counts it.
  ///
  /// - Parameters:
  ///   - reason: Why.
  ///   - format: What it would have been.
  ///   - sequence: The frame's number, growing by one from frame to frame.
  ///   - timestamp: When it was taken.
  public init(
    dropped reason: FrameDropReason, format: CaptureFormat, sequence: UInt64,
    timestamp: FrameTimestamp
  ) {
    self.init(
      pixelFormat: format.pixelFormat, dimensions: format.dimensions, layout: nil,
      color: .assumed(for: format.pixelFormat), sequence: sequence, timestamp: timestamp,
      duration: format.frameDuration, dropReason: reason, storage: .one(SharedBytes([UInt8]())))
  }
}

// MARK: - What it shows

extension CapturedFrame {
  /// Pixels in a row.
  public var width: Int { dimensions.width }
  /// Rows.
  public var height: Int { dimensions.height }
  /// Whether the driver, or a check of lengths, found the bytes damaged or too few.
  public var isDamaged: Bool { dropReason == .corrupt }
  /// The moment of the timestamp, for ordering and pacing frames.
  public var presentationTime: HostTime { timestamp.time }

  /// The frame's bytes: a JPEG's file bytes, or all samples; of a multi-planar frame the first
  /// plane's.
  public var bytes: RawSpan {
    @_lifetime(borrow self)
    get {
      switch storage {
      case .one(let block): _overrideLifetime(block.bytes, borrowing: self)
      case .several(let first, _): _overrideLifetime(first.bytes, borrowing: self)
      case .convertible(let block, _): _overrideLifetime(block.bytes, borrowing: self)
      }
    }
  }

  /// The frame as an uncompressed picture that shares its bytes, or, where ``isConvertible``, of
  /// its own.
  ///
  /// - Returns: nil for a JPEG and other compressed frames, for one in a format that nothing here
  ///   reads, and for one with too few bytes or damaged so that it cannot be converted.
  public var pixelBuffer: PixelBuffer? {
    if let conversion = storage.conversion {
      return conversion.picture(of: storage.blocks[0], color: color)
    }
    return layout.flatMap { PixelBuffer(layout: $0, color: color, blocks: storage.blocks) }
  }

  /// Whether ``pixelBuffer`` is made by a conversion: when it is first asked for, once for all
  /// copies of the frame, and counted.
  public var isConvertible: Bool { storage.conversion != nil }
}

// MARK: - The same frame, changed

extension CapturedFrame {
  /// The same frame in memory that is nobody's but its own: it keeps none of the driver's buffers,
  /// and counts among nobody's copies.
  package var detached: CapturedFrame { stored(in: storage.detached) }

  /// The memory of the frame's ``bytes``, to be kept.
  package var sharedBytes: SharedBytes { storage.first }

  /// Bytes of all planes, as they lie in memory.
  package var byteCount: Int { storage.blocks.reduce(0) { $0 + $1.byteCount } }

  /// The same frame with another stamp.
  func stamped(_ timestamp: FrameTimestamp) -> CapturedFrame {
    var frame = self
    frame.timestamp = timestamp
    return frame
  }

  /// The same frame with its bytes in another place.
  func stored(in storage: FrameStorage) -> CapturedFrame {
    var frame = self
    frame.storage = storage
    return frame
  }

  /// The frame with other pixels, of which one byte holds an owner.
  func showing(
    _ pixels: PixelBuffer, holding owner: any AnyObject & Sendable
  ) -> CapturedFrame {
    let blocks = [pixels.blocks[0].held(by: owner)] + pixels.blocks.dropFirst()
    var frame = CapturedFrame(
      pixelFormat: pixels.format,
      dimensions: VideoDimensions(width: pixels.width, height: pixels.height),
      layout: pixels.layout, color: pixels.color, sequence: sequence, timestamp: timestamp,
      duration: duration, dropReason: dropReason, storage: FrameStorage(blocks))
    frame.settings = settings
    return frame
  }
}
