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
    let (isNews, obsolete) = state.withLock { state -> (Bool, ScheduledWork?) in
      guard let index = state.index(of: id) else { return (false, nil) }
      if let error { state.entries[index].errors.append(error) }
      let actions = event(&state.entries[index].machine)
      let entry = state.entries[index]
      let machine = entry.machine
      // A request that had the camera for itself stays until the camera is as it was.
      if machine.isOver, !entry.isStarted { state.entries.remove(at: index) }
      guard !actions.isEmpty else { return (false, nil) }
      state.steps.append(
        Step(
          order: entry.order, actions: actions, isStarted: entry.isStarted, isOver: machine.isOver,
          // Not with each frame: the picture that is made of it may be damaged.
          isProgress: picture != nil && machine.needsFrames,
          frame: frame, picture: picture, errors: entry.errors))
      return (true, machine.isOver ? entry.deadline?.work : nil)
    }
    obsolete?.cancel()
    if isNews { performSteps() }
  }

  /// Does what is to be done, in the order in which it was decided, whichever thread decided it: a
  /// request's last event must not come before one that another thread is about to send. Who finds
  /// a thread at it leaves it to that.
  func performSteps() {
    let isOurs = state.withLock { state in
      defer { state.isPerforming = true }
      return !state.isPerforming
    }
    guard isOurs else { return }
    while let step = state.withLock({ $0.takeStep() }) {
      if step.isProgress { setDeadline(of: step.order, settledAt: step.order.clock.now) }
      perform(step)
      if step.isOver, !step.isStarted { startNext(on: step.order.connection) }
      readinessHasChanged()
    }
  }

  func perform(_ step: Step) {
    let order = step.order
    let resolved = order.resolved
    var failure: CaptureError?
    for action in step.actions {
      switch action {
      case .announceBegin: send(.willBegin(resolved), to: order)
      case .prepare(let photo): prepare(order, photo: photo)
      case .announceWillCapture: send(.willCapture(resolved), to: order)
      case .announceDidCapture: send(.didCapture(resolved), to: order)
      case .makePicture:
        if let frame = step.frame { makePicture(of: frame, order) }
      case .deliver(let photo):
        if let picture = step.picture, let frame = step.frame {
          deliver(picture, of: frame, order, photo: photo)
        }
      case .fail(let code, let photo):
        let reason = step.errors.last { $0.code == code } ?? CaptureError(code)
        failure = reason
        let photo = CapturePhoto(
          failure: reason, resolvedSettings: resolved, photoCount: photo)
        send(.didFinishProcessing(photo, reason), to: order)
      case .finish: finish(order, step.isStarted, failure)
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
    let date = Date(
      timeIntervalSinceNow: frame.timestamp.time.duration(to: clock.now) / .seconds(-1))
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
  /// The next thing to be done; without one, performing is over.
  fileprivate mutating func takeStep() -> PhotoRequestQueue.Step? {
    guard steps.isEmpty else { return steps.removeFirst() }
    isPerforming = false
    return nil
  }

  /// Exposure has to settle anew.
  fileprivate mutating func watchSettling(of connection: CaptureConnection, until time: HostTime) {
    guard let index = stream(of: connection) else { return }
    streams[index].judge = SettlingJudge()
    streams[index].settledAt = time
    streams[index].recent.removeAll()
  }
}
