import Dispatch
import Foundation
import Synchronization

/// The photo requests of one output: applies the machine's actions to the real world.
///
/// The lock guards the machines only. Events are handed to the callback queue in the order in which the
/// machines gave them. Pictures are made off the camera's thread, and those that have to be encoded on a
/// queue of their own.
final class PhotoRequestQueue: Sendable {
  /// A request to be taken up.
  struct Order: Sendable {
    let connection: CaptureConnection
    let resolved: CaptureResolvedPhotoSettings
    let processor: PhotoProcessor
    let timeout: Duration
    let handler: PhotoEventHandler
  }

  private struct Entry {
    let order: Order
    let clock: any CaptureClock
    var machine: PhotoRequestMachine
    var deadline: ScheduledWork?
    /// The reasons given so far, for their sentences.
    var errors: [CaptureError] = []
  }

  private struct Stream {
    let connection: ObjectIdentifier
    var settledAt: HostTime
    var lastPickup: HostTime?
    /// Why it ended; nil while it runs.
    var end: CaptureError?
  }

  /// A handful of each: arrays are faster than dictionaries, above all the first time.
  private struct State {
    var entries: [Entry] = []
    var streams: [Stream] = []

    func index(of id: Int64) -> Int? {
      entries.firstIndex { $0.order.resolved.uniqueID == id }
    }

    func stream(of connection: CaptureConnection) -> Int? {
      streams.firstIndex { $0.connection == ObjectIdentifier(connection) }
    }
  }

  /// How many photos may be under way at once.
  static let capacity = 64

  private let state = Mutex(State())
  private let callbacks = DispatchQueue(label: "CaptureKitLinux.photo.callbacks")
  private let pictures = DispatchQueue(label: "CaptureKitLinux.photo.pictures")

  // MARK: Requests

  /// Takes up a request.
  func submit(_ order: Order) {
    let clock = order.connection.input.device.environment.clock
    let now = clock.now
    let (notBefore, isFull) = state.withLock { state in
      let index = state.stream(of: order.connection)
      return (
        index.map { state.streams[$0].settledAt } ?? now, state.entries.count >= Self.capacity
      )
    }
    guard !isFull else {
      return refuse(order.resolved, CaptureError(.tooManyPhotos), handler: order.handler)
    }
    var machine = PhotoRequestMachine(requestedAt: now, notBefore: notBefore)
    // Before anybody else can see the entry: `willBegin` must be the first event.
    perform(machine.begin(), of: order)
    let entry = Entry(order: order, clock: clock, machine: machine)
    state.withLock { $0.entries.append(entry) }
    let deadline = clock.schedule(at: max(now, notBefore).advanced(by: order.timeout)) {
      [weak self] in self?.end(order.resolved.uniqueID, .deadlinePassed(order))
    }
    let isOver = state.withLock { state in
      guard let index = state.index(of: order.resolved.uniqueID) else { return true }
      state.entries[index].deadline = deadline
      return false
    }
    if isOver { deadline.cancel() }
    // The camera may have ended while the entry was not yet there to be told.
    let reason = state.withLock { state in
      state.stream(of: order.connection).flatMap { state.streams[$0].end }
    }
    if let reason { end(order.resolved.uniqueID, reason) }
  }

  /// Ends a request that cannot be taken up, through the same events as any other.
  func refuse(
    _ resolved: CaptureResolvedPhotoSettings, _ error: CaptureError,
    handler: @escaping PhotoEventHandler
  ) {
    callbacks.async {
      handler(.willBegin(resolved))
      handler(
        .didFinishProcessing(CapturePhoto(failure: error, resolvedSettings: resolved), error))
      handler(.didFinish(resolved, error))
    }
  }

  /// Ends a request; does nothing where it is over.
  func end(_ id: Int64, _ error: CaptureError) {
    advance(id, error: error) { $0.end(error.code) }
  }

  // MARK: The stream

  func streamStarted(_ connection: CaptureConnection, settledAt: HostTime) {
    state.withLock { state in
      state.streams.removeAll { $0.connection == ObjectIdentifier(connection) }
      state.streams.append(Stream(connection: ObjectIdentifier(connection), settledAt: settledAt))
    }
  }

  func streamEnded(_ connection: CaptureConnection, _ error: CaptureError) {
    let ids = state.withLock { state in
      if let index = state.stream(of: connection) { state.streams[index].end = error }
      return state.entries.filter { $0.order.connection === connection }
        .map(\.order.resolved.uniqueID)
    }
    for id in ids { end(id, error) }
  }

  /// Why a connection's camera ended by itself; nil where it runs, or was stopped.
  func failure(of connection: CaptureConnection) -> CaptureError? {
    let end = state.withLock { state in
      state.stream(of: connection).flatMap { state.streams[$0].end }
    }
    return end?.code == .stopped ? nil : end
  }

  /// Forgets a connection; its requests end.
  func disconnected(_ connection: CaptureConnection) {
    streamEnded(connection, CaptureError(.noConnection))
    state.withLock { $0.streams.removeAll { $0.connection == ObjectIdentifier(connection) } }
  }

  /// Offers a frame to the waiting requests; on the camera's thread, most often nobody waits.
  func receive(_ frame: CapturedFrame, from connection: CaptureConnection) {
    let now = connection.input.device.environment.clock.now
    let waiting = state.withLock { state in
      var previous: HostTime?
      if let index = state.stream(of: connection) {
        previous = state.streams[index].lastPickup
        state.streams[index].lastPickup = now
      }
      let ids = state.entries.filter { $0.order.connection === connection && $0.machine.isWaiting }
        .map(\.order.resolved.uniqueID)
      return (ids: ids, sincePrevious: previous.map { $0.duration(to: now) })
    }
    guard !waiting.ids.isEmpty else { return }
    let facts = PhotoRequestMachine.FrameFacts(
      timestamp: frame.timestamp,
      duration: (frame.duration ?? connection.format?.frameDuration)?.duration,
      sincePreviousPickup: waiting.sincePrevious)
    for id in waiting.ids { advance(id, frame: frame) { $0.receive(facts) } }
  }
}

// MARK: - Actions

extension PhotoRequestQueue {
  /// Puts an event into a request's machine and does what it says.
  private func advance(
    _ id: Int64, frame: CapturedFrame? = nil, picture: PhotoProcessor.Picture? = nil,
    error: CaptureError? = nil,
    _ event: (inout PhotoRequestMachine) -> [PhotoRequestMachine.Action]
  ) {
    let advanced = state.withLock { state -> (Entry, [PhotoRequestMachine.Action])? in
      guard let index = state.index(of: id) else { return nil }
      if let error { state.entries[index].errors.append(error) }
      let actions = event(&state.entries[index].machine)
      let entry = state.entries[index]
      if entry.machine.isOver { state.entries.remove(at: index) }
      return (entry, actions)
    }
    guard let (entry, actions) = advanced else { return }
    if entry.machine.isOver { entry.deadline?.cancel() }
    perform(actions, of: entry.order, frame: frame, picture: picture, errors: entry.errors)
  }

  private func perform(
    _ actions: [PhotoRequestMachine.Action], of order: Order, frame: CapturedFrame? = nil,
    picture: PhotoProcessor.Picture? = nil, errors: [CaptureError] = []
  ) {
    let resolved = order.resolved
    var failure: CaptureError?
    for action in actions {
      switch action {
      case .announceBegin: send(.willBegin(resolved), to: order)
      case .announceCapture:
        send(.willCapture(resolved), to: order)
        send(.didCapture(resolved), to: order)
      case .makePicture:
        if let frame { makePicture(of: frame, order) }
      case .deliver:
        if let picture, let frame { send(order.event(for: picture, of: frame), to: order) }
      case .fail(let code):
        let reason = errors.last { $0.code == code } ?? CaptureError(code)
        failure = reason
        let photo = CapturePhoto(failure: reason, resolvedSettings: resolved)
        send(.didFinishProcessing(photo, reason), to: order)
      case .finish: send(.didFinish(resolved, failure), to: order)
      }
    }
  }

  private func send(_ event: PhotoEvent, to order: Order) {
    callbacks.async { order.handler(event) }
  }

  private func makePicture(of frame: CapturedFrame, _ order: Order) {
    let clock = order.connection.input.device.environment.clock
    let date = Date(timeIntervalSinceNow: -frame.timestamp.time.duration(to: clock.now).seconds)
    // Completing a camera's JPEG takes microseconds, less than another thread does.
    let queue = order.processor.encodes(frame) ? pictures : callbacks
    queue.async { [self] in
      let id = order.resolved.uniqueID
      do throws(CaptureError) {
        let picture = try order.processor.picture(of: frame, takenAt: date)
        advance(id, frame: frame, picture: picture) { $0.pictureIsMade() }
      } catch {
        advance(id, error: error) { $0.pictureFailed(error.code) }
      }
    }
  }
}

extension PhotoRequestQueue.Order {
  fileprivate func event(
    for picture: PhotoProcessor.Picture, of frame: CapturedFrame
  ) -> PhotoEvent {
    let photo = CapturePhoto(
      resolvedSettings: resolved, timestamp: frame.timestamp, metadata: picture.metadata,
      isReencoded: picture.isReencoded, contents: .success(picture.data))
    return .didFinishProcessing(photo, nil)
  }
}

extension CaptureError {
  fileprivate static func deadlinePassed(_ order: PhotoRequestQueue.Order) -> CaptureError {
    let name = order.connection.input.device.localizedName
    return CaptureError(
      .timedOut,
      "\(name) sent no usable picture within \(order.timeout): look at its cable and its light.")
  }
}

extension Duration {
  /// Seconds, for calendar dates.
  fileprivate var seconds: Double {
    Double(components.seconds) + Double(components.attoseconds) * 1e-18
  }
}
