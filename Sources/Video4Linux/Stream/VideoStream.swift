import CVideo4Linux
import Glibc
import LinuxSystem
import Synchronization

/// A node's stream of pictures: started, waited for, interrupted, stopped, started again.
///
/// One thread at a time waits in ``nextFrame(deadline:)``. Everything else may be called from
/// any thread at any time. Three system calls are made per frame: poll, DQBUF, and QBUF when
/// the frame is released.
package final class VideoStream: Sendable {
  /// A stream that runs: what dies with it.
  struct Run {
    let queue: BufferQueue
    let descriptor: Descriptor
    /// Whether the driver tells of changes.
    let hasEvents: Bool
  }

  private enum Wish {
    case run, stop, close
  }

  private enum State {
    case idle
    /// What others have asked for meanwhile is carried out by the thread that starts.
    case starting(Wish)
    case running(Run)
    /// What others have asked for meanwhile is carried out by the thread that stops.
    case stopping(Wish)
    case closed
  }

  package let node: VideoNode
  let wake: WakeEvent
  let progress = Mutex(Progress())
  private let state = Mutex(State.idle)

  /// What the waiting thread remembers from frame to frame.
  struct Progress {
    /// How often in a row the driver has said EIO.
    var failureCount = 0
    /// How often in a row poll(2) has promised a frame that was not there.
    var emptyCount = 0
  }

  /// How often in a row a driver may say EIO before it counts as broken.
  static let failureLimit = 8

  /// Takes over the node, which is closed with the stream.
  /// - Throws: `tooManyOpenFiles`.
  package init(node: VideoNode) throws(VideoNodeError) {
    self.node = node
    do {
      wake = try WakeEvent()
    } catch {
      throw node.failure(error, during: .open)
    }
  }

  deinit {
    close()
  }

  /// How many buffers the driver has; when it runs out it can take no picture until a frame is
  /// released. 0 when the stream does not run.
  package var queuedCount: Int { run?.queue.queuedCount ?? 0 }

  /// The stream, if it runs.
  var run: Run? {
    state.withLock { if case .running(let run) = $0 { run } else { nil } }
  }
}

// MARK: - Transitions

extension VideoStream {
  /// Settles a format with the driver and starts to stream.
  /// - Parameter request: The wishes.
  /// - Returns: What the driver has made of them.
  /// - Throws: `unsupportedFormat`, `inUse`, `noSignal`, `privacyShutter`, `usbBandwidth`,
  ///   `outOfMemory`, `disconnected`, `invalidAnswer`, `streamingFailed`, and `notACamera` where
  ///   the driver has no buffers to be mapped; where the node has to be opened anew, what that
  ///   throws.
  package func start(_ request: StreamRequest) throws(VideoNodeError) -> StreamSettings {
    try beginStarting()
    wake.drain()
    progress.withLock { $0 = Progress() }
    do {
      let (run, settings) = try setUp(request)
      finishStarting(run)
      return settings
    } catch {
      finishStarting(nil)
      throw error
    }
  }

  /// Makes the thread that waits for a frame, or the next that does, return at once. From any
  /// thread.
  package func interrupt() {
    wake.signal()
  }

  /// Ends the stream. Frames that are still held stay readable; their release is a no-op. Does
  /// nothing when the stream does not run; that the device is gone is no error.
  package func stop() {
    end(with: .stop)
  }

  /// Ends the stream and closes the node for good.
  package func close() {
    end(with: .close)
  }

  private func end(with wish: Wish) {
    let (run, isOurs) = state.withLock { state -> (Run?, Bool) in
      switch state {
      case .running(let run):
        state = .stopping(wish)
        return (run, true)
      case .starting(let earlier):
        state = .starting(earlier == .close ? .close : wish)
        return (nil, false)
      case .stopping(let earlier):
        state = .stopping(earlier == .close ? .close : wish)
        return (nil, false)
      case .idle, .closed:
        return (nil, true)
      }
    }
    guard isOurs else { return }
    if let run {
      wake.signal()
      tearDown(run)
    }
    settle(wish)
  }

  /// Comes to rest after a stop or a start that failed.
  private func settle(_ wish: Wish) {
    let isClosed = state.withLock { state in
      let later: Wish = if case .stopping(let later) = state { later } else { wish }
      if later == .close {
        state = .closed
      } else if case .stopping = state {
        state = .idle
      }
      return later == .close
    }
    if isClosed { node.close() }
  }

  private func beginStarting() throws(VideoNodeError) {
    let isIdle = state.withLock { state in
      guard case .idle = state else { return false }
      state = .starting(.run)
      return true
    }
    guard isIdle else {
      throw VideoNodeError(
        .inUse, node.path,
        "\(node.path) is in use by this program itself: stop its stream before it is started "
          + "again.")
    }
  }

  /// - Parameter run: Nil where the start has failed.
  private func finishStarting(_ run: Run?) {
    let wish = state.withLock { state -> Wish in
      guard case .starting(let wish) = state else { return .close }
      state =
        if wish == .run, let run { .running(run) } else { run == nil ? .idle : .stopping(wish) }
      return wish
    }
    guard wish != .run else { return }
    if let run { tearDown(run) }
    settle(wish)
  }
}
