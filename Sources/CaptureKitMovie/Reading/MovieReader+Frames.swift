import Dispatch
import Synchronization

extension MovieReader {
  /// A movie's frames one after the other; each loop over them has its own place and decoder.
  ///
  /// A frame is decoded when the loop asks for it, on a queue of the loop's own: beside the frames
  /// that the loop holds there are the decoder's. A cancelled task's loop ends at once.
  ///
  /// A loop ends behind the last frame that can be decoded. Damaged packets are passed over;
  /// ``MovieReader/isDamaged`` tells of them afterwards.
  public struct Frames: AsyncSequence, Sendable {
    /// A frame and when it is shown.
    public typealias Element = MovieFrame
    /// ``MovieError``, at the first frame for `.endOfMovie` where the loop was to begin behind the
    /// movie's end, and `.corrupt` where no frame can be decoded; `.cannotRead` where the file
    /// system refuses, and `.tooLarge` where there is no memory.
    public typealias Failure = MovieError

    let reader: MovieReader
    let start: Duration

    /// Begins a loop.
    public func makeAsyncIterator() -> Iterator {
      Iterator(source: FrameSource(reader, start))
    }

    /// One loop's place; not to be shared by tasks.
    public struct Iterator: AsyncIteratorProtocol {
      let source: FrameSource

      /// The next frame; nil behind the last one, after an error, and where the task is cancelled.
      public mutating func next(
        isolation actor: isolated (any Actor)? = #isolation
      ) async throws(MovieError) -> MovieFrame? {
        try await source.next()
      }

      /// The next frame; nil behind the last one, after an error, and where the task is cancelled.
      public mutating func next() async throws(MovieError) -> MovieFrame? {
        try await source.next()
      }
    }
  }

  /// All frames in the order in which they are shown.
  public var frames: Frames { frames(from: .zero) }

  /// The frames from a time on.
  ///
  /// - Parameter time: From the movie's begin. The first frame is the one that is shown then.
  /// - Returns: A sequence that may be looped over any number of times.
  public func frames(from time: Duration) -> Frames {
    Frames(reader: self, start: time)
  }
}

/// One loop's decoder, and the queue that it works on.
final class FrameSource: Sendable {
  private enum State {
    case new
    case open(FrameCursor)
    case over
  }

  private let reader: MovieReader
  private let start: Duration
  private let queue = DispatchQueue(label: "CaptureKitMovie.frames")
  private let cancellation = MovieCancellation()
  /// Held while decoding, by the queue alone.
  private let state = Mutex(State.new)

  init(_ reader: MovieReader, _ start: Duration) {
    self.reader = reader
    self.start = start
  }

  func next() async throws(MovieError) -> MovieFrame? {
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: CheckedContinuation<Answer, Never>) in
        queue.async { continuation.resume(returning: self.read()) }
      }
    } onCancel: {
      cancellation.cancel()
    }
    return try result.get()
  }

  private typealias Answer = Result<MovieFrame?, MovieError>

  private func read() -> Answer {
    state.withLock { state in
      do throws(MovieError) {
        guard !cancellation.isCancelled, let frame = try advance(&state) else {
          state = .over
          return .success(nil)
        }
        return .success(frame)
      } catch {
        state = .over
        return cancellation.isCancelled ? .success(nil) : .failure(error)
      }
    }
  }

  private func advance(_ state: inout State) throws(MovieError) -> MovieFrame? {
    let cursor: FrameCursor
    switch state {
    case .over: return nil
    case .new:
      cursor = try FrameCursor(reader.file, reader.limits, cancellation)
      _ = try cursor.find(start)
      state = .open(cursor)
    case .open(let opened):
      cursor = opened
      try cursor.advance()
    }
    if cursor.isDamaged { reader.noteDamage() }
    return try cursor.frame()
  }
}
