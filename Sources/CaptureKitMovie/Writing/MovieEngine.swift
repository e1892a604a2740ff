import CaptureKitLinux
import Dispatch
import Foundation
import Imaging
import LinuxSystem
import Synchronization

/// What is behind a movie output: takes frames on the camera's thread, orders on any, and hands
/// both to one writer thread, which is there as long as there is something to do.
///
/// Apart from the output, so that an output that nobody holds ends its thread.
final class MovieEngine: Sendable {
  /// What the writer does besides frames.
  enum Order: Sendable {
    case begin(RecordingJob)
    case pause, resume
    case end(MovieError?)
    /// Frames of another kind, or after a break, follow.
    case forgetPreRoll
  }

  /// What the writer gets next.
  enum Work {
    case frame(CapturedFrame)
    case order(Order)
    /// Nothing has come for a while.
    case idle
  }

  struct State {
    var queue = FrameQueue<CapturedFrame, Order>()
    var machine = RecordingMachine()
    var settings = MovieSettings.automatic
    var preRoll: MoviePreRoll?
    var limits = RecordingLimits()
    var statistics = MovieStatistics()
    var lastError: MovieError?
    var url: URL?
    var lastJob: UInt64 = 0
    /// The connections that there are: a frame of another one was under way when it went.
    var connected: Set<ObjectIdentifier> = []
    /// The connection whose frames are taken, once one has come.
    var source: ObjectIdentifier?
    var hasThread = false
    /// Whether the writer has nothing to do.
    var isIdle = true
    var isWaiting = false
    /// Nobody holds the output any more.
    var isAbandoned = false

    var wantsFrames: Bool { machine.takesFrames || (preRoll != nil && !machine.isRecording) }
    var mayEnd: Bool {
      queue.isEmpty && !machine.isRecording && (preRoll == nil || isAbandoned || source == nil)
    }
  }

  let state = Mutex(State())
  private let wake = WakeSemaphore()
  private let callbacks = DispatchQueue(label: "CaptureKitMovie.callbacks")
  /// How long the writer waits for something before it looks after what is open.
  private static let patience: UInt64 = 250_000_000

  /// Tells whoever follows a recording.
  func tell(_ event: RecordingEvent, _ handler: @escaping RecordingEventHandler) {
    callbacks.async { handler(event) }
  }
}

// MARK: - Frames, on the camera's thread

extension MovieEngine {
  /// Takes a frame, if anybody wants it.
  func receive(_ frame: CapturedFrame, from connection: CaptureConnection) {
    let id = ObjectIdentifier(connection)
    let byteCount = frame.byteCount
    let verdict = state.withLock { state -> FrameQueue<CapturedFrame, Order>.Verdict? in
      guard state.connected.contains(id), state.source == nil || state.source == id else {
        return nil
      }
      state.source = id
      guard state.wantsFrames else { return nil }
      let verdict = state.queue.admit(byteCount, isIdle: state.isIdle)
      if verdict == .refused, state.machine.isRecording { state.statistics.note(.late) }
      return verdict
    }
    switch verdict {
    case nil: return
    case .refused: connection.noteLateFrames()
    // A buffer of the driver's must not wait for a disk.
    case .copied: hand(frame.detached, byteCount)
    case .asItIs: hand(frame, byteCount)
    }
  }

  private func hand(_ frame: CapturedFrame, _ byteCount: Int) {
    perform { $0.queue.append(frame, byteCount: byteCount) }
  }

  /// Counts frames that did not come here.
  func noteDrop(_ drop: DroppedFrame, of connection: CaptureConnection) {
    state.withLock { state in
      guard state.machine.takesFrames, state.source == ObjectIdentifier(connection) else { return }
      state.statistics.note(drop.reason, count: drop.count)
    }
  }

  /// Takes frames of a connection from now on.
  func add(_ connection: CaptureConnection) {
    state.withLock { _ = $0.connected.insert(ObjectIdentifier(connection)) }
  }

  /// Takes no frame of a connection any more, also of those that are under way.
  func remove(_ connection: CaptureConnection) {
    state.withLock { _ = $0.connected.remove(ObjectIdentifier(connection)) }
    forget(connection)
  }

  /// The connection's frames are over; another's may be taken.
  func forget(_ connection: CaptureConnection) {
    perform { state in
      guard state.source == ObjectIdentifier(connection) else { return }
      state.source = nil
      state.queue.append(.forgetPreRoll)
    }
  }
}

// MARK: - Orders, on any thread

extension MovieEngine {
  /// Changes the state; the writer is woken, or started, where there is something for it.
  ///
  /// - Returns: What the body returns.
  @discardableResult
  func perform<Value: Sendable, Failure: Error>(
    _ body: @Sendable (inout State) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let (result, needsThread, isWaiting) = state.withLock {
      state -> (Result<Value, Failure>, Bool, Bool) in
      let result: Result<Value, Failure>
      do throws(Failure) {
        result = .success(try body(&state))
      } catch {
        result = .failure(error)
      }
      let needsThread = !state.hasThread && !state.queue.isEmpty
      if needsThread { state.hasThread = true }
      defer { state.isWaiting = false }
      return (result, needsThread, state.isWaiting)
    }
    if isWaiting { wake.signal() }
    if needsThread { startThread() }
    return try result.get()
  }

  /// Begins a recording.
  ///
  /// - Parameters:
  ///   - url: Its file.
  ///   - container: How frames lie in it.
  ///   - orientation: How pictures are turned.
  ///   - clock: The one of its frames.
  ///   - isActive: Asked once it has begun: a session that stopped just before has ended what it
  ///     knew of.
  ///   - inactive: What ends it then.
  ///   - handler: Told what happens.
  /// - Returns: Its number.
  /// - Throws: `alreadyRecording`.
  func begin(
    _ url: URL, _ container: MovieContainer, _ orientation: ImageOrientation,
    by clock: any CaptureClock, whileActive isActive: () -> Bool, else inactive: MovieError,
    _ handler: @escaping RecordingEventHandler
  ) throws(MovieError) -> UInt64 {
    let number = try perform { state throws(MovieError) in
      try state.machine.begin(url.path)
      state.lastJob += 1
      state.url = url
      state.statistics = MovieStatistics()
      state.queue.append(
        .begin(
          RecordingJob(
            id: state.lastJob, url: url, container: container, orientation: orientation,
            limits: state.limits, clock: clock, handler: handler)))
      return state.lastJob
    }
    if !isActive() { end(inactive, of: number) }
    return number
  }

  /// Ends the recording, if there is one that is not ending.
  ///
  /// - Parameters:
  ///   - error: Why; nil where it was asked for.
  ///   - number: The one that is meant; nil for whichever there is.
  func end(_ error: MovieError?, of number: UInt64? = nil) {
    perform { state in
      guard number.map({ $0 == state.lastJob }) ?? true else { return }
      if state.machine.end(error) { state.queue.append(.end(error)) }
    }
  }

  /// Ends all: nobody holds the output any more.
  func abandon() {
    perform { state in
      state.isAbandoned = true
      if state.machine.end(nil) { state.queue.append(.end(nil)) }
    }
  }

  private func startThread() {
    do {
      try NamedThread.start("movie-writer") { [self] in MovieWorker(self).run() }
    } catch {
      // Nobody would ever do what is in the queue.
      let failure = MovieError(
        .cannotWrite, "There is no room for a thread to write the movie: \(error).",
        errno: error.rawValue)
      MovieWorker(self).refuseAll(failure)
    }
  }
}

// MARK: - Work, on the writer's thread

extension MovieEngine {
  /// Waits for something to do.
  ///
  /// - Returns: nil where the thread is to end.
  func next() -> Work? {
    var hasWaited = false
    while true {
      let (work, isOver) = state.withLock { state -> (Work?, Bool) in
        if let item = state.queue.next() {
          state.isIdle = false
          switch item {
          case .frame(let frame, _): return (.frame(frame), false)
          case .order(let order): return (.order(order), false)
          }
        }
        state.isIdle = true
        guard !state.mayEnd else {
          state.hasThread = false
          return (nil, true)
        }
        state.isWaiting = true
        return (nil, false)
      }
      if let work { return work }
      if isOver { return nil }
      if hasWaited { return .idle }
      hasWaited = !wake.wait(until: LinuxKernel().monotonicNanoseconds() + Self.patience)
    }
  }

  /// Takes what is in the queue, for want of a thread; frames are let go of.
  func takeQueued() -> Work? {
    state.withLock { state in
      while let item = state.queue.next() {
        if case .order(let order) = item { return .order(order) }
      }
      state.hasThread = false
      return nil
    }
  }
}
