import Dispatch
import Foundation
import Synchronization

/// One object for each stay of a camera, and everybody who wants to hear of cameras that come and
/// go.
///
/// Whoever finds a change tells it here, and it is told once. Changes are put into the readers'
/// queues under the lock, so that all readers and observers get them in one order.
final class DeviceRegistry: Sendable {
  fileprivate struct Key: Hashable {
    var backend: Int
    var stay: Int
  }

  fileprivate struct Known {
    weak var device: CaptureDevice?
  }

  /// An object that was made for a path, beside the one of the list.
  fileprivate struct Follower {
    weak var device: CaptureDevice?
    let backend: Int
    let description: CaptureDeviceDescription
    var wasListed = false
  }

  fileprivate struct State {
    var rolls: [DeviceRoll]
    var known: [Key: Known] = [:]
    var followers: [Follower] = []
    var readers: [Int: (queue: ChangeQueue, tick: AsyncStream<Void>.Continuation)] = [:]
    var lastReader = 0
    var notices: [(name: Notification.Name, device: CaptureDevice)] = []
  }

  /// What is to be done when the lock is open again.
  fileprivate struct Outcome {
    var present: [(device: CaptureDevice, description: CaptureDeviceDescription)] = []
    var gone: [CaptureDevice] = []
    var ticks: [AsyncStream<Void>.Continuation] = []
    var noticeCount = 0
  }

  private let state: Mutex<State>
  private let announcements = DispatchQueue(label: "CaptureKitLinux.devices")

  init(backendCount: Int) {
    state = Mutex(State(rolls: Array(repeating: DeviceRoll(), count: backendCount)))
  }
}

// MARK: - What happens

extension DeviceRegistry {
  func beginLook(at backend: Int) -> Int {
    state.withLock { $0.rolls[backend].beginLook() }
  }

  /// Learns what a look has found.
  ///
  /// - Parameters:
  ///   - look: Its number.
  ///   - backend: Whose cameras they are.
  ///   - found: The cameras that were there.
  ///   - now: When it ended.
  ///   - make: Makes an object; called under the lock.
  /// - Returns: The cameras that are there, the same objects as before for those that stayed.
  func endLook(
    _ look: Int, at backend: Int, found: [CaptureDeviceDescription], now: HostTime,
    make: (CaptureDeviceDescription) -> CaptureDevice
  ) -> [CaptureDevice] {
    let outcome = state.withLock { state in
      var outcome = Outcome()
      state.endLook(look, at: backend, found: found, now: now, make: make, &outcome)
      return outcome
    }
    for (device, description) in outcome.present { device.update(description, look: look) }
    finish(outcome)
    return outcome.present.map(\.device)
  }

  /// The cameras that are there, as far as is known.
  func present(
    at backend: Int, make: (CaptureDeviceDescription) -> CaptureDevice
  ) -> [CaptureDevice] {
    state.withLock { state in
      state.rolls[backend].present.map { state.device(of: $0, at: backend, make: make) }
    }
  }

  /// Somebody who used a camera found it gone.
  ///
  /// - Returns: The backend that lists it, where that is news.
  func lose(_ device: CaptureDevice, now: HostTime) -> Int? {
    let (outcome, backend) = state.withLock { state in
      var outcome = Outcome(gone: [device])
      let (isNews, backend) = state.lose(device, now: now)
      if isNews { state.tell(.disconnected(device), &outcome) }
      return (outcome, backend)
    }
    finish(outcome)
    return backend
  }

  /// Lets an object that is in no list hear of its camera's end.
  func follow(_ device: CaptureDevice, at backend: Int) {
    let follower = Follower(device: device, backend: backend, description: device.description)
    state.withLock { state in
      state.followers.removeAll { $0.device == nil }
      state.followers.append(follower)
    }
  }

  /// When a look at a backend will decide something although nothing happens.
  func nextDecision(at backend: Int) -> HostTime? {
    state.withLock { $0.rolls[backend].nextDecision }
  }

  private func finish(_ outcome: Outcome) {
    for device in outcome.gone { device.markDisconnected() }
    for tick in outcome.ticks { tick.yield() }
    for _ in 0..<outcome.noticeCount {
      announcements.async { [self] in
        let notice = state.withLock { $0.notices.isEmpty ? nil : $0.notices.removeFirst() }
        guard let notice else { return }
        if notice.name == CaptureDevice.wasDisconnectedNotification {
          notice.device.markDisconnected()
        }
        NotificationCenter.default.post(name: notice.name, object: notice.device)
      }
    }
  }
}

// MARK: - Readers

extension DeviceRegistry {
  /// Keeps changes from now on for somebody.
  ///
  /// - Returns: Who that is, and what ticks when there is something.
  func addReader() -> (reader: Int, ticks: AsyncStream<Void>) {
    let (ticks, tick) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let reader = state.withLock { state in
      state.lastReader += 1
      state.readers[state.lastReader] = (ChangeQueue(), tick)
      return state.lastReader
    }
    return (reader, ticks)
  }

  func removeReader(_ reader: Int) {
    let last = state.withLock { $0.readers.removeValue(forKey: reader) }
    last?.tick.finish()
  }

  /// Takes the oldest change that a reader has not taken.
  func takeChange(for reader: Int) -> CaptureDeviceChange? {
    let change = state.withLock { $0.readers[reader]?.queue.take() }
    // Whoever found it out may not have come to it yet.
    if case .disconnected(let device)? = change { device.markDisconnected() }
    return change
  }
}

// MARK: - Under the lock

extension DeviceRegistry.State {
  fileprivate mutating func endLook(
    _ look: Int, at backend: Int, found: [CaptureDeviceDescription], now: HostTime,
    make: (CaptureDeviceDescription) -> CaptureDevice, _ outcome: inout DeviceRegistry.Outcome
  ) {
    let earlier = rolls[backend].stays
    let changes = rolls[backend].endLook(look, found: found, now: now)
    for change in changes {
      switch change {
      case .left(let id), .withdrawn(let id):
        guard let stay = earlier.first(where: { $0.id == id }) else { continue }
        // Nobody may have the object, but somebody may have its id.
        let device = known[.init(backend: backend, stay: id)]?.device ?? make(stay.description)
        outcome.gone.append(device)
        if change == .left(id) { tell(.disconnected(device), &outcome) }
      case .arrived, .updated: continue
      }
    }
    for stay in rolls[backend].present {
      let device = device(of: stay, at: backend, make: make)
      outcome.present.append((device, stay.description))
      if changes.contains(.arrived(stay.id)) { tell(.connected(device), &outcome) }
      if changes.contains(.updated(stay.id)) { tell(.updated(device), &outcome) }
    }
    let stays = Set(rolls[backend].stays.map(\.id))
    known = known.filter { $0.key.backend != backend || stays.contains($0.key.stay) }
    endFollowers(at: backend, found: found, &outcome)
  }

  fileprivate mutating func device(
    of stay: DeviceRoll.Stay, at backend: Int, make: (CaptureDeviceDescription) -> CaptureDevice
  ) -> CaptureDevice {
    let key = DeviceRegistry.Key(backend: backend, stay: stay.id)
    let device = known[key]?.device ?? make(stay.description)
    known[key] = .init(device: device)
    return device
  }

  private mutating func endFollowers(
    at backend: Int, found: [CaptureDeviceDescription], _ outcome: inout DeviceRegistry.Outcome
  ) {
    var left: [DeviceRegistry.Follower] = []
    for var follower in followers {
      guard let device = follower.device else { continue }
      guard follower.backend == backend else {
        left.append(follower)
        continue
      }
      if found.contains(where: { follower.description.isSameStay(as: $0) }) {
        follower.wasListed = true
      } else if follower.wasListed {
        outcome.gone.append(device)
        tell(.disconnected(device), &outcome)
        continue
      }
      left.append(follower)
    }
    followers = left
  }

  fileprivate mutating func lose(
    _ device: CaptureDevice, now: HostTime
  ) -> (isNews: Bool, backend: Int?) {
    if let key = known.first(where: { $0.value.device === device })?.key {
      let isNews = rolls[key.backend].lose(key.stay, now: now)
      return (isNews, isNews ? key.backend : nil)
    }
    guard let index = followers.firstIndex(where: { $0.device === device }) else {
      return (false, nil)
    }
    followers.remove(at: index)
    return (true, nil)
  }

  fileprivate mutating func tell(
    _ change: CaptureDeviceChange, _ outcome: inout DeviceRegistry.Outcome
  ) {
    for reader in readers.keys {
      readers[reader]?.queue.append(change)
      if let tick = readers[reader]?.tick { outcome.ticks.append(tick) }
    }
    let name: Notification.Name
    switch change {
    case .connected: name = CaptureDevice.wasConnectedNotification
    case .disconnected: name = CaptureDevice.wasDisconnectedNotification
    case .updated: return
    }
    notices.append((name, change.device))
    outcome.noticeCount += 1
  }
}
