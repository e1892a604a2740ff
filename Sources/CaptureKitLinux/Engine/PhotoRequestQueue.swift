import Dispatch
import Foundation
import Synchronization

/// The photo requests of one output: applies the machine's actions to the real world.
///
/// The lock guards the machines only. Events are handed to the callback queue in the order in which the
/// machines gave them, pictures are made on a queue of their own, off the camera's thread.
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

  private struct State {
    var entries: [Int64: Entry] = [:]
    var settledAt: [ObjectIdentifier: HostTime] = [:]
    var lastPickup: [ObjectIdentifier: HostTime] = [:]
  }

  private let state = Mutex(State())
  private let callbacks = DispatchQueue(label: "CaptureKitLinux.photo.callbacks")
  private let pictures = DispatchQueue(label: "CaptureKitLinux.photo.pictures", qos: .userInitiated)

  // MARK: Requests

  /// Takes up a request.
  func submit(_ order: Order) {
    let clock = order.connection.input.device.environment.clock
    let now = clock.now
    let notBefore =
      state.withLock { $0.settledAt[ObjectIdentifier(order.connection)] } ?? now
    var machine = PhotoRequestMachine(requestedAt: now, notBefore: notBefore)
    // Before anybody else can see the entry: `willBegin` must be the first event.
    perform(machine.begin(), of: order)
    let entry = Entry(order: order, clock: clock, machine: machine)
    state.withLock { $0.entries[order.resolved.uniqueID] = entry }
    let deadline = clock.schedule(at: max(now, notBefore).advanced(by: order.timeout)) {
      [weak self] in self?.end(order.resolved.uniqueID, .deadlinePassed(order))
    }
    let isOver = state.withLock { state in
      state.entries[order.resolved.uniqueID]?.deadline = deadline
      return state.entries[order.resolved.uniqueID] == nil
    }
    if isOver { deadline.cancel() }
    // The camera may have ended while the entry was not yet there to be told.
    if !order.connection.isActive { end(order.resolved.uniqueID, CaptureError(.stopped)) }
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
      state.settledAt[ObjectIdentifier(connection)] = settledAt
      state.lastPickup[ObjectIdentifier(connection)] = nil
    }
  }

  func streamEnded(_ connection: CaptureConnection, _ error: CaptureError) {
    let ids = state.withLock { state in
      state.settledAt[ObjectIdentifier(connection)] = nil
      return state.entries.values.filter { $0.order.connection === connection }
        .map(\.order.resolved.uniqueID)
    }
    for id in ids.sorted() { end(id, error) }
  }

  /// Offers a frame to the waiting requests; on the camera's thread, most often nobody waits.
  func receive(_ frame: CapturedFrame, from connection: CaptureConnection) {
    let now = connection.input.device.environment.clock.now
    let waiting = state.withLock { state in
      let key = ObjectIdentifier(connection)
      let previous = state.lastPickup.updateValue(now, forKey: key)
      let ids =
        state.entries.isEmpty
        ? []
        : state.entries.values
          .filter { $0.order.connection === connection && $0.machine.isWaiting }
          .map(\.order.resolved.uniqueID)
      return (ids: ids, sincePrevious: previous.map { $0.duration(to: now) })
    }
    guard !waiting.ids.isEmpty else { return }
    let facts = PhotoRequestMachine.FrameFacts(
      timestamp: frame.timestamp,
      duration: (frame.duration ?? connection.format?.frameDuration)?.duration,
      sincePreviousPickup: waiting.sincePrevious)
    for id in waiting.ids.sorted() { advance(id, frame: frame) { $0.receive(facts) } }
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
      guard var entry = state.entries[id] else { return nil }
      if let error { entry.errors.append(error) }
      let actions = event(&entry.machine)
      state.entries[id] = entry.machine.isOver ? nil : entry
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
    pictures.async { [self] in
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
