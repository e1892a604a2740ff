import Dispatch
import Synchronization

/// A connection that somebody writes to until its end.
///
/// Nothing here waits for the client. Whoever has it closes it, also after ``onEnd(_:)`` was called.
public final class OpenConnection: Sendable {
  private struct State {
    var descriptor: Int32?
    var reading: (any DispatchSourceRead)?
    var writing: (any DispatchSourceWrite)?
  }

  /// The events of all connections, which are few.
  private static let queue = DispatchQueue(label: "web-connections")

  private let state: Mutex<State>
  private let release: @Sendable (OpenConnection) -> Void
  /// The sources that have not let go of the descriptor yet.
  private let sources = DispatchGroup()

  init(descriptor: Int32, release: @escaping @Sendable (OpenConnection) -> Void) {
    state = Mutex(State(descriptor: descriptor < 0 ? nil : descriptor))
    self.release = release
    SocketBridge.prepare(descriptor)
  }

  /// Sends as much of a message as the connection takes.
  ///
  /// - Parameters:
  ///   - head: The message's beginning.
  ///   - body: What follows; the memory is needed for the duration of the call only.
  ///   - tail: Its end.
  ///   - sentByteCount: How much of all was sent before.
  /// - Returns: How much of it is sent now; nil where the connection is over.
  public func send(
    head: [UInt8], body: RawSpan, tail: [UInt8], after sentByteCount: Int = 0
  ) -> Int? {
    state.withLock { state in
      guard let descriptor = state.descriptor else { return nil }
      return SocketBridge.send(
        head: head, body: body, tail: tail, after: sentByteCount, to: descriptor)
    }
  }

  /// Calls back once, when the connection takes more.
  public func onceWritable(_ body: @escaping @Sendable () -> Void) {
    state.withLock { state in
      guard let descriptor = state.descriptor, state.writing == nil else { return }
      let source = DispatchSource.makeWriteSource(
        fileDescriptor: descriptor, queue: Self.queue)
      sources.enter()
      source.setCancelHandler { [sources] in sources.leave() }
      source.setEventHandler { [weak self] in
        let isOpen = self?.state.withLock { state in
          state.writing?.cancel()
          state.writing = nil
          return state.descriptor != nil
        }
        if isOpen == true { body() }
      }
      state.writing = source
      source.activate()
    }
  }

  /// Calls back when the client has gone, once; what it sends is thrown away.
  public func onEnd(_ body: @escaping @Sendable () -> Void) {
    let isOver = state.withLock { state in
      guard let descriptor = state.descriptor else { return true }
      let source = DispatchSource.makeReadSource(
        fileDescriptor: descriptor, queue: Self.queue)
      sources.enter()
      source.setCancelHandler { [sources] in sources.leave() }
      source.setEventHandler { [weak self] in
        let isOver = self?.state.withLock { state in
          guard let descriptor = state.descriptor, state.reading != nil else { return false }
          guard SocketBridge.isOver(descriptor) else { return false }
          state.reading?.cancel()
          state.reading = nil
          return true
        }
        if isOver == true { body() }
      }
      state.reading = source
      source.activate()
      return false
    }
    if isOver { Self.queue.async(execute: body) }
  }

  /// Closes the connection; a second time does nothing.
  public func close() {
    let isMine = state.withLock { state in
      guard let descriptor = state.descriptor else { return false }
      // Others may get the number once the server has closed it.
      state.descriptor = nil
      state.reading?.cancel()
      state.writing?.cancel()
      SocketBridge.shutDown(descriptor)
      return true
    }
    if isMine { sources.notify(queue: Self.queue) { self.release(self) } }
  }
}
