import Dispatch
import Synchronization

/// The photo requests of one output: applies the machine's actions to the real world.
///
/// The lock guards the machines only. Events are handed to the callback queue in the order in which
/// the machines gave them. Pictures are made off the camera's thread, and those that take time on a
/// queue of their own.
final class PhotoRequestQueue: Sendable {
  /// A request to be taken up.
  struct Order: Sendable {
    let connection: CaptureConnection
    let resolved: CaptureResolvedPhotoSettings
    let processor: PhotoProcessor
    let requestedAt: HostTime
    /// What the camera has to be brought to; nil where photos are made of its stream as it is.
    var preparation: (any PhotoPreparation)?
    let handler: PhotoEventHandler

    var wishes: PhotoWishes { processor.wishes }
    var clock: any CaptureClock { connection.input.device.environment.clock }
    var id: Int64 { resolved.uniqueID }
  }

  struct Entry {
    let order: Order
    var machine: PhotoRequestMachine
    var deadline: (time: HostTime, work: ScheduledWork)?
    /// Whether its preparation has begun, so that it has to be undone.
    var isStarted = false
    /// Whether it got more time since its camera was started anew.
    var hasSeenRestart = false
    /// Frames from before the request, the best first.
    var earlier: [CapturedFrame] = []
    /// The reasons given so far, for their sentences.
    var errors: [CaptureError] = []

    /// Whether nobody else may have frames until it is over.
    var isExclusive: Bool { order.preparation != nil }
    var wantsCamera: Bool { machine.needsFrames || isExclusive }
  }

  /// What a machine wants done, and what came with the event.
  struct Step {
    let order: Order
    let actions: [PhotoRequestMachine.Action]
    /// Whether the order's preparation has begun.
    var isStarted = false
    var isOver = false
    /// Whether its next photo has a deadline of its own.
    var isProgress = false
    var frame: CapturedFrame?
    var picture: PhotoProcessor.Picture?
    var errors: [CaptureError] = []
  }

  struct Stream {
    let connection: ObjectIdentifier
    /// When exposure counts as settled, seen or not.
    var settledAt: HostTime
    var judge = SettlingJudge()
    /// Whether a frame is being looked at off the camera's thread.
    var isJudging = false
    var recent = RecentFrames()
    var lastPickup: HostTime?
    /// Why it ended; nil while it runs.
    var end: CaptureError?
  }

  /// A handful of each: arrays are faster than dictionaries, above all the first time.
  struct State {
    var entries: [Entry] = []
    var streams: [Stream] = []
    var keepsRecentFrames = false
    /// What is still to be done, in the order in which it was decided.
    var steps: [Step] = []
    var isPerforming = false

    func index(of id: Int64) -> Int? {
      entries.firstIndex { $0.order.id == id }
    }

    func stream(of connection: CaptureConnection) -> Int? {
      streams.firstIndex { $0.connection == ObjectIdentifier(connection) }
    }
  }

  /// How many requests may be under way at once.
  static let capacity = 64

  let state = Mutex(State())
  let callbacks = DispatchQueue(label: "CaptureKitLinux.photo.callbacks")
  let pictures = DispatchQueue(label: "CaptureKitLinux.photo.pictures")
  let judging = DispatchQueue(label: "CaptureKitLinux.photo.judging")
  let readinessBoard = ReadinessBoard()
}

// MARK: - Requests

extension PhotoRequestQueue {
  /// Takes up a request.
  func submit(_ order: Order) {
    let now = order.requestedAt
    let (settledAt, isFull) = state.withLock { state in
      let index = state.stream(of: order.connection)
      let hasSettled = index.map { state.streams[$0].judge.hasSettled } ?? false
      let settledAt = hasSettled ? now : index.map { state.streams[$0].settledAt } ?? now
      return (settledAt, state.entries.count >= Self.capacity)
    }
    guard !isFull else {
      return refuse(order.resolved, CaptureError(.tooManyPhotos), handler: order.handler)
    }
    var machine = PhotoRequestMachine(
      requestedAt: now, notBefore: order.wishes.prioritization == .speed ? now : settledAt,
      count: order.resolved.expectedPhotoCount, preparation: order.preparationKind)
    // Before anybody else can see the entry: `willBegin` must be the first event.
    perform(Step(order: order, actions: machine.begin()))
    let entry = Entry(order: order, machine: machine)
    state.withLock { $0.entries.append(entry) }
    offerEarlierFrames(to: order, at: now)
    startNext(on: order.connection)
    // The camera may have ended while the entry was not yet there to be told.
    let reason = state.withLock { state in
      state.stream(of: order.connection).flatMap { state.streams[$0].end }
    }
    if let reason { end(order.id, reason) }
    readinessHasChanged()
  }

  /// Ends a request that cannot be taken up, through the same events as any other.
  func refuse(
    _ resolved: CaptureResolvedPhotoSettings, _ error: CaptureError,
    handler: @escaping PhotoEventHandler
  ) {
    callbacks.async {
      handler(.willBegin(resolved))
      for number in 1...resolved.expectedPhotoCount {
        let photo = CapturePhoto(failure: error, resolvedSettings: resolved, photoCount: number)
        handler(.didFinishProcessing(photo, error))
      }
      handler(.didFinish(resolved, error))
    }
  }

  /// Ends a request; does nothing where it is over.
  func end(_ id: Int64, _ error: CaptureError) {
    advance(id, error: error) { $0.end(error.code) }
  }

  /// Lets those begin whose turn it is: a request that needs the camera for itself waits for those
  /// before it, and those behind it wait for it.
  func startNext(on connection: CaptureConnection) {
    var waiting: [(order: Order, settledAt: HostTime)] = []
    let isPrepared = state.withLock { state -> Bool in
      let settledAt = state.stream(of: connection).map { state.streams[$0].settledAt }
      var isFirst = true
      for index in state.entries.indices
      where state.entries[index].order.connection === connection
        && state.entries[index].wantsCamera
      {
        let entry = state.entries[index]
        guard !entry.isExclusive || (isFirst && !entry.isStarted) else { return false }
        if entry.deadline == nil {
          waiting.append((entry.order, settledAt ?? entry.order.requestedAt))
        }
        isFirst = false
        guard entry.isExclusive else { continue }
        state.entries[index].isStarted = true
        state.steps.append(Step(order: entry.order, actions: entry.machine.start()))
        return true
      }
      return false
    }
    for (order, settledAt) in waiting { setDeadline(of: order, settledAt: settledAt) }
    if isPrepared { performSteps() }
  }

  /// Ends a request when its time is up, counted from now or from when exposure has settled.
  func setDeadline(of order: Order, settledAt: HostTime) {
    let time = max(order.clock.now, settledAt).advanced(by: order.wishes.timeout)
    setDeadline(of: order, at: time)
  }

  /// Ends a request at a moment, in place of the one that was set before.
  func setDeadline(of order: Order, at time: HostTime) {
    let obsolete = state.withLock { state -> ScheduledWork? in
      guard let index = state.index(of: order.id) else { return nil }
      defer { state.entries[index].deadline = nil }
      return state.entries[index].deadline?.work
    }
    obsolete?.cancel()
    let deadline = order.clock.schedule(at: time) { [weak self] in
      self?.end(order.id, .deadlinePassed(order))
    }
    let isNeeded = state.withLock { state in
      guard let index = state.index(of: order.id), state.entries[index].deadline == nil,
        !state.entries[index].machine.isOver
      else { return false }
      state.entries[index].deadline = (time, deadline)
      return true
    }
    if !isNeeded { deadline.cancel() }
  }
}

extension PhotoRequestQueue.Order {
  fileprivate var preparationKind: PhotoRequestMachine.Preparation {
    guard let preparation else { return .none }
    return preparation.isForEachPhoto ? .forEachPhoto : .once
  }
}

extension CaptureError {
  fileprivate static func deadlinePassed(_ order: PhotoRequestQueue.Order) -> CaptureError {
    let name = order.connection.input.device.localizedName
    return CaptureError(
      .timedOut,
      "\(name) sent no usable picture within \(order.wishes.timeout): look at its cable and its light."
    )
  }
}
