/// A picture in the driver's own memory, which goes back to the driver on last release.
///
/// It may be kept, handed to other threads and released there, at any time, also after its
/// stream has stopped or its device is gone. But while it is kept the driver has one buffer
/// less: see ``VideoStream/queuedCount``.
package final class LeasedFrame: Sendable {
  /// The driver's count of frames; a gap is a frame that was lost.
  package let sequence: UInt32
  /// When the driver says that the frame was taken.
  package let timestamp: BufferTimestamp
  /// When it was taken out of the queue, in nanoseconds of CLOCK_MONOTONIC.
  package let dequeuedAt: UInt64
  package let flags: BufferFlags
  package let field: Field
  /// The number of the buffer that the picture is in.
  package let bufferIndex: Int
  /// Whether the driver says of more bytes than there is memory for; they are left out.
  package let isClamped: Bool
  package let planeCount: Int
  private let extents: InlineArray<8, PlaneExtent>
  private let buffer: MappedBuffer
  private let queue: BufferQueue

  init(_ dequeued: BufferQueue.Dequeued, of queue: BufferQueue, dequeuedAt: UInt64) {
    sequence = dequeued.sequence
    timestamp = dequeued.timestamp
    self.dequeuedAt = dequeuedAt
    flags = dequeued.flags
    field = dequeued.field
    bufferIndex = dequeued.index
    isClamped = dequeued.isClamped
    planeCount = dequeued.planeCount
    extents = dequeued.planes
    buffer = dequeued.buffer
    self.queue = queue
  }

  deinit {
    queue.giveBack(bufferIndex)
  }

  /// Whether the driver says that the data may be damaged.
  package var hasError: Bool { flags.contains(.error) }

  /// How many bytes the plane's picture has; 0 for an empty one, and where there is no such plane.
  package func byteCount(ofPlane plane: Int) -> Int {
    0..<planeCount ~= plane ? extents[plane].count : 0
  }

  /// The plane's picture. Valid for as long as the frame is referenced, and empty where there is
  /// no such plane.
  package func unsafeBytes(ofPlane plane: Int = 0) -> UnsafeRawBufferPointer {
    guard 0..<planeCount ~= plane else {
      return unsafe UnsafeRawBufferPointer(start: nil, count: 0)
    }
    let extent = extents[plane]
    return unsafe UnsafeRawBufferPointer(
      rebasing: buffer.planes[plane][extent.start..<extent.start + extent.count])
  }

  /// Calls `body` with the plane's picture, which must not be kept.
  package func withBytes<Result: ~Copyable, Failure: Error>(
    ofPlane plane: Int = 0, _ body: (RawSpan) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { withExtendedLifetime(self) {} }
    return try body(unsafe unsafeBytes(ofPlane: plane).bytes)
  }
}
