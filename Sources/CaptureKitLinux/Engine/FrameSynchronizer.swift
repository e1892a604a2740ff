import Dispatch
import Synchronization

/// Takes the frames of several outputs, puts them together, and hands the sets to the consumers.
///
/// Cameras' threads come here; what a frame leads to is done after unlocking, by one thread at a
/// time, so that sets come in order.
final class FrameSynchronizer: Sendable {
  typealias Matcher = FrameMatcher<CaptureConnection, ReceivedSet.Member>
  typealias Subscription = FrameSubscription<ReceivedSet>
  fileprivate typealias Drop = FrameDrop<CaptureConnection>

  fileprivate enum Event: Sendable {
    case set(ReceivedSet)
    case drop(Drop)
    /// Nothing follows until a camera is started again.
    case end
  }

  /// A connection, and the output that hands its frames over.
  fileprivate struct Way: Sendable {
    let connection: CaptureConnection
    let output: ObjectIdentifier
  }

  fileprivate struct State: Sendable {
    var matcher = Matcher()
    /// In the matcher's order.
    var ways: [Way] = []
    var requiresEveryCamera = false
    var events: [Event] = []
    var isHandingOut = false
    var subscriptions: [Subscription] = []
  }

  /// In order: the first leads.
  private let outputs: [ObjectIdentifier]
  private let state = Mutex(State())
  let counts: SetCounts
  private let conversions = DispatchQueue(label: "CaptureKitLinux.synchronizer.conversions")
  let delegateDelivery: FrameDelivery<ReceivedSet>
  let handlerDelivery: FrameDelivery<ReceivedSet>

  init(outputs: [ObjectIdentifier]) {
    self.outputs = outputs
    counts = SetCounts()
    delegateDelivery = FrameDelivery(
      convertingOn: conversions, SetWorkshop(counts: counts).prepare)
    handlerDelivery = FrameDelivery(
      convertingOn: conversions, SetWorkshop(counts: counts).prepare)
  }

  var tolerance: Duration? {
    get { state.withLock { $0.matcher.tolerance } }
    set { state.withLock { $0.matcher.tolerance = newValue } }
  }

  var requiresEveryCamera: Bool {
    get { state.withLock { $0.requiresEveryCamera } }
    set { state.withLock { $0.requiresEveryCamera = newValue } }
  }

  /// Whose frames it puts together, the most important one first.
  var connections: [CaptureConnection] { state.withLock { $0.ways.map(\.connection) } }

  func subscribe() -> Subscription {
    let subscription = Subscription(
      discardsLate: true, convertingOn: conversions, SetWorkshop(counts: counts).prepare)
    state.withLock { $0.subscriptions.append(subscription) }
    return subscription
  }

  func unsubscribe(_ subscription: Subscription) {
    state.withLock { $0.subscriptions.removeAll { $0 === subscription } }
  }
}

// MARK: - From the outputs

extension FrameSynchronizer {
  func add(_ connection: CaptureConnection, of output: CaptureVideoDataOutput) {
    counts.add(connection)
    let way = Way(connection: connection, output: ObjectIdentifier(output))
    state.withLock { state in
      guard !state.ways.contains(where: { $0.connection === connection }) else { return }
      let index = state.ways.firstIndex { rank(of: $0) > rank(of: way) } ?? state.ways.count
      state.ways.insert(way, at: index)
      state.matcher.add(connection, at: index)
    }
    // Of one that was started before it was added nobody else tells.
    if let format = connection.format { cameraStarted(connection, with: format) }
  }

  private func rank(of way: Way) -> Int {
    outputs.firstIndex(of: way.output) ?? outputs.count
  }

  func remove(_ connection: CaptureConnection) {
    change { state in
      state.ways.removeAll { $0.connection === connection }
      return state.matcher.remove(connection)
    }
    counts.remove(connection)
  }

  func cameraStarted(_ connection: CaptureConnection, with format: CaptureFormat) {
    state.withLock { $0.matcher.start(connection, duration: format.frameDuration?.duration) }
  }

  func cameraEnded(_ connection: CaptureConnection) {
    change { $0.matcher.end(connection) }
  }

  func receive(_ member: ReceivedSet.Member) {
    change { state in
      state.matcher.put(
        member, at: member.received.presentationTime, from: member.received.source)
    }
  }

  func receive(_ drop: DroppedFrame, from connection: CaptureConnection) {
    change { state in
      state.events.append(.drop(Drop(drop: drop, source: connection)))
      return drop.presentationTime.map { state.matcher.pass($0, of: connection) } ?? []
    }
  }

  /// The session of an output has stopped.
  func deliveryEnded(of output: CaptureVideoDataOutput) {
    change { state in
      // Also of cameras whose driver is stuck, which do not say that they have ended.
      let outcomes = state.ways.filter { $0.output == ObjectIdentifier(output) }
        .flatMap { state.matcher.end($0.connection) }
      guard !state.matcher.isRunning else { return outcomes }
      for outcome in outcomes { state.note(outcome) }
      state.events.append(.end)
      return []
    }
  }
}

// MARK: - To the consumers

extension FrameSynchronizer {
  private func change(_ body: (inout State) -> [Matcher.Outcome]) {
    let isHandingOut = state.withLock { state in
      for outcome in body(&state) { state.note(outcome) }
      guard !state.events.isEmpty else { return true }
      defer { state.isHandingOut = true }
      return state.isHandingOut
    }
    // A thread that is handing out already hands these out, too.
    if !isHandingOut { handOut() }
  }

  private func handOut() {
    while true {
      let next = state.withLock { state -> ([Event], [Subscription])? in
        guard !state.events.isEmpty else {
          state.isHandingOut = false
          return nil
        }
        defer { state.events = [] }
        return (state.events, state.subscriptions)
      }
      guard let (events, subscriptions) = next else { return }
      for event in events { handOut(event, to: subscriptions) }
    }
  }

  private func handOut(_ event: Event, to subscriptions: [Subscription]) {
    switch event {
    case .set(let set):
      note(delegateDelivery.receive(set))
      note(handlerDelivery.receive(set))
      for subscription in subscriptions { note(subscription.receive(set)) }
    case .drop(let drop):
      counts.note(drop)
      delegateDelivery.receive(drop.drop, from: drop.source)
    case .end:
      for subscription in subscriptions {
        unsubscribe(subscription)
        subscription.end()
      }
    }
  }

  /// What a consumer misses is told to the session, too.
  private func note(_ drops: [FrameDrop<CaptureConnection>]) {
    for drop in drops {
      counts.note(drop)
      drop.source.noteLateFrames(drop.drop.count)
    }
  }
}

extension FrameSynchronizer.State {
  /// Takes down what is to be told.
  fileprivate mutating func note(_ outcome: FrameSynchronizer.Matcher.Outcome) {
    switch outcome {
    case .match(let match):
      // One that is switched off, or whose camera is there by another way, is not missed.
      let missing = match.missing.filter { gone in
        gone.isEnabled && !match.parts.contains { $0.source.input === gone.input }
      }
      guard missing.isEmpty || !requiresEveryCamera else {
        for part in match.parts { noteUnmatched(part.frame) }
        return
      }
      events.append(
        .set(
          ReceivedSet(
            members: match.parts.map(\.frame), missing: missing, presentationTime: match.time,
            isOnlyWhole: requiresEveryCamera)))
    case .unmatched(let member, _, _): noteUnmatched(member)
    }
  }

  private mutating func noteUnmatched(_ member: ReceivedSet.Member) {
    events += member.received.drops(.unmatched).map { .drop($0) }
  }
}
