import Synchronization

/// Looks at an environment's backends whenever there may be something new.
///
/// Each backend has two tasks: one listens to it, one looks. What comes while a look is under way
/// makes one more look, however much it is.
final class DeviceWatch: Sendable {
  /// How often a backend is looked at that does not say when it is worth it.
  static let pause = Duration.seconds(2)

  private struct State {
    var isOver = false
    var tasks: [Task<Void, Never>] = []
    var alarms: [Int: Alarm] = [:]
    var polls: [Int: ScheduledWork] = [:]
    var errors: [Int: CaptureError] = [:]
  }

  private struct Alarm {
    let time: HostTime
    var work: ScheduledWork?
  }

  private let environment: CaptureEnvironment
  private let ticks: [(stream: AsyncStream<Void>, continuation: AsyncStream<Void>.Continuation)]
  private let state = Mutex(State())

  init(_ environment: CaptureEnvironment) {
    self.environment = environment
    ticks = environment.backends.map { _ in
      AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    }
  }

  var error: CaptureError? { state.withLock { $0.errors.min { $0.key < $1.key }?.value } }

  func start() {
    for index in environment.backends.indices {
      let looking = Task(executorPreference: DiscoveryExecutor()) {
        for await _ in self.ticks[index].stream { await self.look(at: index) }
      }
      let listening = Task { await self.listen(to: index) }
      keep([looking, listening])
    }
  }

  func cancel() {
    let last = state.withLock { state in
      defer { state = State(isOver: true) }
      return state
    }
    for task in last.tasks { task.cancel() }
    for alarm in last.alarms.values { alarm.work?.cancel() }
    for poll in last.polls.values { poll.cancel() }
  }

  private func keep(_ tasks: [Task<Void, Never>]) {
    let isOver = state.withLock { state in
      if !state.isOver { state.tasks += tasks }
      return state.isOver
    }
    if isOver { for task in tasks { task.cancel() } }
  }
}

// MARK: - Looking

extension DeviceWatch {
  private func listen(to index: Int) async {
    // In this order: what happens during the first look is not lost.
    let events = environment.backends[index].changes()
    ticks[index].continuation.yield()
    for await event in events {
      switch event {
      case .devicesMayHaveChanged: ticks[index].continuation.yield()
      case .isDelayed(let error): state.withLock { $0.errors[index] = error }
      }
    }
    guard !Task.isCancelled else { return }
    poll(index)
  }

  private func look(at index: Int) async {
    do {
      _ = try await environment.devices(at: index)
      if let time = environment.registry.nextDecision(at: index) { look(at: index, after: time) }
    } catch {
      look(at: index, after: environment.clock.now.advanced(by: Self.pause))
    }
  }

  /// Looks now, and again and again.
  private func poll(_ index: Int) {
    ticks[index].continuation.yield()
    let time = environment.clock.now.advanced(by: Self.pause)
    let work = environment.clock.schedule(at: time) { [weak self] in self?.poll(index) }
    let isOver = state.withLock { state in
      if !state.isOver { state.polls[index] = work }
      return state.isOver
    }
    if isOver { work.cancel() }
  }

  /// Looks when a moment has come, if nothing makes it look then or earlier anyway.
  func look(at index: Int, after time: HostTime) {
    let (isNew, replaced) = state.withLock { state -> (Bool, ScheduledWork?) in
      let alarm = state.alarms[index]
      guard !state.isOver, alarm.map({ $0.time > time }) ?? true else { return (false, nil) }
      state.alarms[index] = Alarm(time: time)
      return (true, alarm?.work)
    }
    replaced?.cancel()
    guard isNew else { return }
    let work = environment.clock.schedule(at: time) { [weak self] in
      self?.alarmRings(at: index, time)
    }
    let isInVain = state.withLock { state in
      guard state.alarms[index]?.time == time else { return true }
      state.alarms[index]?.work = work
      return false
    }
    if isInVain { work.cancel() }
  }

  private func alarmRings(at index: Int, _ time: HostTime) {
    state.withLock { state in
      if state.alarms[index]?.time == time { state.alarms[index] = nil }
    }
    ticks[index].continuation.yield()
  }
}
