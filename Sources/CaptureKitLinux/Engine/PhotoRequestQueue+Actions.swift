import Dispatch
import Foundation
import Synchronization

/// What the machines want done.
extension PhotoRequestQueue {
  /// Puts an event into a request's machine and does what it says.
  func advance(
    _ id: Int64, frame: CapturedFrame? = nil, picture: PhotoProcessor.Picture? = nil,
    error: CaptureError? = nil,
    _ event: (inout PhotoRequestMachine) -> [PhotoRequestMachine.Action]
  ) {
    let advanced = state.withLock { state -> (Entry, [PhotoRequestMachine.Action])? in
      guard let index = state.index(of: id) else { return nil }
      if let error { state.entries[index].errors.append(error) }
      let actions = event(&state.entries[index].machine)
      let entry = state.entries[index]
      // A request that had the camera for itself stays until the camera is as it was.
      if entry.machine.isOver, !entry.isStarted { state.entries.remove(at: index) }
      return (entry, actions)
    }
    guard let (entry, actions) = advanced, !actions.isEmpty else { return }
    if entry.machine.isOver { entry.deadline?.cancel() }
    perform(
      actions, of: entry.order, entry.isStarted, frame: frame, picture: picture,
      errors: entry.errors)
    if entry.machine.needsFrames, entry.order.resolved.expectedPhotoCount > 1, frame != nil {
      setDeadline(of: entry.order, settledAt: entry.order.clock.now)
    }
    if entry.machine.isOver, !entry.isStarted { startNext(on: entry.order.connection) }
    readinessHasChanged()
  }

  func perform(
    _ actions: [PhotoRequestMachine.Action], of order: Order, _ isStarted: Bool = false,
    frame: CapturedFrame? = nil, picture: PhotoProcessor.Picture? = nil,
    errors: [CaptureError] = []
  ) {
    let resolved = order.resolved
    var failure: CaptureError?
    for action in actions {
      switch action {
      case .announceBegin: send(.willBegin(resolved), to: order)
      case .prepare(let photo): prepare(order, photo: photo)
      case .announceWillCapture: send(.willCapture(resolved), to: order)
      case .announceDidCapture: send(.didCapture(resolved), to: order)
      case .makePicture:
        if let frame { makePicture(of: frame, order) }
      case .deliver(let photo):
        if let picture, let frame { deliver(picture, of: frame, order, photo: photo) }
      case .fail(let code, let photo):
        let reason = errors.last { $0.code == code } ?? CaptureError(code)
        failure = reason
        let photo = CapturePhoto(
          failure: reason, resolvedSettings: resolved, photoCount: photo)
        send(.didFinishProcessing(photo, reason), to: order)
      case .finish: finish(order, isStarted, failure)
      }
    }
  }

  func send(_ event: PhotoEvent, to order: Order) {
    callbacks.async { order.handler(event) }
  }
}

// MARK: - Pictures

extension PhotoRequestQueue {
  private func makePicture(of frame: CapturedFrame, _ order: Order) {
    let clock = order.clock
    let date = Date(timeIntervalSinceNow: -frame.timestamp.time.duration(to: clock.now).seconds)
    // Of a burst every frame would keep a buffer of the driver's until its turn comes.
    let frame = order.resolved.expectedPhotoCount > 1 ? frame.inOwnMemory : frame
    // Completing a camera's JPEG takes microseconds, less than another thread does.
    let queue = order.processor.takesTime(frame) ? pictures : callbacks
    queue.async { [self] in
      do throws(CaptureError) {
        let picture = try order.processor.picture(of: frame, takenAt: date)
        advance(order.id, frame: frame, picture: picture) { $0.pictureIsMade() }
      } catch {
        advance(order.id, error: error) { $0.pictureFailed(error.code) }
        offerNextEarlierFrame(to: order.id)
        readinessHasChanged()
      }
    }
  }

  private func deliver(
    _ picture: PhotoProcessor.Picture, of frame: CapturedFrame, _ order: Order, photo: Int
  ) {
    let bracket = order.wishes.bracket
    let photo = CapturePhoto(
      picture, resolvedSettings: order.resolved, photoCount: photo,
      bracketedSettings: bracket.isEmpty ? nil : bracket[photo - 1], timestamp: frame.timestamp,
      precedesRequest: frame.timestamp.time <= order.requestedAt)
    send(.didFinishProcessing(photo, nil), to: order)
  }
}

// MARK: - Preparing and restoring

extension PhotoRequestQueue {
  private func prepare(_ order: Order, photo: Int) {
    order.preparation?.prepare(photo: photo) { [self] result in
      switch result {
      case .failure(let error): end(order.id, error)
      case .success(let settling):
        let now = order.clock.now
        let settledAt = now.advanced(by: settling)
        state.withLock { state in
          state.watchSettling(of: order.connection, until: settledAt)
          guard let index = state.index(of: order.id) else { return }
          state.entries[index].machine.prepared(at: now, settledBy: settledAt)
        }
        setDeadline(of: order, settledAt: settledAt)
      }
    }
  }

  /// Tells that a request is over, once the camera is as it was.
  private func finish(_ order: Order, _ isStarted: Bool, _ failure: CaptureError?) {
    let event = PhotoEvent.didFinish(order.resolved, failure)
    guard isStarted, let preparation = order.preparation else { return send(event, to: order) }
    preparation.restore { [self] settling in
      send(event, to: order)
      let now = order.clock.now
      let settledAt = now.advanced(by: settling)
      state.withLock { state in
        state.watchSettling(of: order.connection, until: settledAt)
        if let index = state.index(of: order.id) { state.entries.remove(at: index) }
        for index in state.entries.indices
        where state.entries[index].order.connection === order.connection {
          let isHurried = state.entries[index].order.wishes.prioritization == .speed
          state.entries[index].machine.cameraIsRestored(
            at: now, settledBy: isHurried ? now : settledAt)
        }
      }
      startNext(on: order.connection)
      readinessHasChanged()
    }
  }
}

extension PhotoRequestQueue.State {
  /// Exposure has to settle anew.
  fileprivate mutating func watchSettling(of connection: CaptureConnection, until time: HostTime) {
    guard let index = stream(of: connection) else { return }
    streams[index].judge = SettlingJudge()
    streams[index].settledAt = time
    streams[index].recent.removeAll()
  }
}

extension Duration {
  /// Seconds, for calendar dates.
  fileprivate var seconds: Double {
    Double(components.seconds) + Double(components.attoseconds) * 1e-18
  }
}
