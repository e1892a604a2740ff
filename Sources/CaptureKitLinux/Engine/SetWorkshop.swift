import Dispatch
import Synchronization

/// Converts sets for one consumer, each frame as its output says: those of one set at once.
final class SetWorkshop: Sendable {
  private let counts: SetCounts
  /// What the consumer keeps of each camera.
  private let allowances = Mutex<[ObjectIdentifier: FrameAllowance]>([:])

  init(counts: SetCounts) {
    self.counts = counts
  }

  /// The set converted, without the frames that cannot be.
  @Sendable func prepare(_ set: ReceivedSet) -> PreparedFrame<ReceivedSet> {
    let letters = Mutex([FrameLetter<ReceivedFrame>?](repeating: nil, count: set.members.count))
    DispatchQueue.concurrentPerform(iterations: set.members.count) { index in
      let member = set.members[index]
      let letter = member.workshop.letter(
        for: member.received, within: allowance(of: member.received.source))
      letters.withLock { $0[index] = letter }
    }
    var members: [ReceivedSet.Member] = []
    var drops: [FrameDrop<CaptureConnection>] = []
    for (letter, member) in zip(letters.withLock { $0 }, set.members) {
      switch letter {
      case .frame(let frame):
        members.append(ReceivedSet.Member(received: frame, workshop: member.workshop))
      case .dropped(let drop, let source): drops.append(FrameDrop(drop: drop, source: source))
      case nil: break
      }
    }
    let missing = set.missing + drops.map(\.source)
    if set.isOnlyWhole, !drops.isEmpty {
      drops += members.flatMap { $0.received.drops(.unmatched) }
      members = []
    }
    for drop in drops { counts.note(drop) }
    guard members.isEmpty else {
      let rest = ReceivedSet(
        members: members, missing: missing, presentationTime: set.presentationTime,
        isOnlyWhole: set.isOnlyWhole)
      return PreparedFrame(letter: .frame(rest), drops: drops)
    }
    let first = drops.removeFirst()
    return PreparedFrame(letter: .dropped(first.drop, from: first.source), drops: drops)
  }

  private func allowance(of connection: CaptureConnection) -> FrameAllowance {
    allowances.withLock { allowances in
      let id = ObjectIdentifier(connection)
      if let known = allowances[id] { return known }
      let new = FrameWorkshop.makeAllowance()
      allowances[id] = new
      return new
    }
  }
}

/// Counts frames that are in no set that was delivered, by camera.
final class SetCounts: Sendable {
  private struct State {
    var all: [FrameDropReason: UInt64] = [:]
    var byConnection: [ObjectIdentifier: [FrameDropReason: UInt64]] = [:]
  }

  private let state = Mutex(State())

  func add(_ connection: CaptureConnection) {
    state.withLock { $0.byConnection[ObjectIdentifier(connection)] = [:] }
  }

  func remove(_ connection: CaptureConnection) {
    state.withLock { $0.byConnection[ObjectIdentifier(connection)] = nil }
  }

  func note(_ drop: FrameDrop<CaptureConnection>) {
    state.withLock { state in
      let (reason, count) = (drop.drop.reason, drop.drop.count)
      state.all[reason, default: 0] &+= count
      state.byConnection[ObjectIdentifier(drop.source)]?[reason, default: 0] &+= count
    }
  }

  var dropped: [FrameDropReason: UInt64] { state.withLock { $0.all } }

  func dropped(of connection: CaptureConnection) -> [FrameDropReason: UInt64] {
    state.withLock { $0.byConnection[ObjectIdentifier(connection)] ?? [:] }
  }
}
