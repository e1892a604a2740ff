/// Which cameras of one backend are there, and what is to be told of them; pure.
///
/// A *stay* is the time from a plug to the unplug. It begins and ends once, whoever finds it out:
/// looks that answer late, sessions that lose their camera, and names that change since a twin
/// came.
struct DeviceRoll {
  /// How long a new camera that may not be opened is waited for: udev opens it to its group later.
  static let patience = Duration.seconds(2)
  /// How long a camera that somebody lost is not believed to be there, unless it was plugged in
  /// anew: its node outlives it for a moment.
  static let grace = Duration.seconds(1)

  enum Change: Equatable {
    case arrived(Int)
    case left(Int)
    case updated(Int)
    /// It went before anybody was told that it was there.
    case withdrawn(Int)
  }

  struct Stay: Equatable {
    let id: Int
    var description: CaptureDeviceDescription
    fileprivate(set) var phase: Phase
  }

  enum Phase: Equatable {
    case told
    case held(since: HostTime)
    case lost(since: HostTime)
  }

  private(set) var stays: [Stay] = []
  private var lastStay = 0
  private var begun = 0
  private var finished = 0

  /// The cameras that are there, in the backend's order.
  var present: [Stay] {
    stays.filter { if case .lost = $0.phase { false } else { true } }
  }

  /// When a look will decide something although nothing happens; nil where it will not.
  var nextDecision: HostTime? {
    stays.compactMap { stay in
      switch stay.phase {
      case .told: nil
      case .held(let since): since.advanced(by: Self.patience)
      case .lost(let since): since.advanced(by: Self.grace)
      }
    }.min()
  }
}

// MARK: - What happens

extension DeviceRoll {
  /// A look begins.
  ///
  /// - Returns: Its number.
  mutating func beginLook() -> Int {
    begun += 1
    return begun
  }

  /// A look has ended.
  ///
  /// - Parameters:
  ///   - look: Its number; where a later one was quicker, nothing is learned from this one.
  ///   - found: The cameras that were there.
  ///   - now: When it ended.
  /// - Returns: What is to be told; nothing at the first look of all.
  mutating func endLook(
    _ look: Int, found: [CaptureDeviceDescription], now: HostTime
  ) -> [Change] {
    guard look > finished else { return [] }
    let isFirst = finished == 0
    finished = look
    var earlier = stays
    stays = []
    var changes: [Change] = []
    for description in found {
      if let index = earlier.firstIndex(where: { $0.description.isSameStay(as: description) }),
        let change = keep(earlier.remove(at: index), as: description, now: now)
      {
        changes += change
      } else {
        changes += begin(description, now: now, isToldAlready: isFirst)
      }
    }
    return earlier.compactMap(Self.end) + changes
  }

  /// Somebody who used a camera found it gone.
  ///
  /// - Returns: Whether that is news.
  mutating func lose(_ id: Int, now: HostTime) -> Bool {
    guard let index = stays.firstIndex(where: { $0.id == id }) else { return false }
    if case .lost = stays[index].phase { return false }
    stays[index].phase = .lost(since: now)
    return true
  }

  /// - Returns: What is to be told; nil where it is another stay after all.
  private mutating func keep(
    _ stay: Stay, as description: CaptureDeviceDescription, now: HostTime
  ) -> [Change]? {
    var kept = stay
    // Its name may depend on the others that are there; an object's never changes.
    kept.description = description
    kept.description.uniqueID = stay.description.uniqueID
    switch stay.phase {
    case .told:
      stays.append(kept)
      return kept.description == stay.description ? [] : [.updated(stay.id)]
    case .held(let since):
      let isOver =
        description.authorization == .authorized || now >= since.advanced(by: Self.patience)
      if isOver { kept.phase = .told }
      stays.append(kept)
      return isOver ? [.arrived(stay.id)] : []
    case .lost(let since):
      guard now < since.advanced(by: Self.grace) else { return nil }
      stays.append(stay)
      return []
    }
  }

  private mutating func begin(
    _ description: CaptureDeviceDescription, now: HostTime, isToldAlready: Bool
  ) -> [Change] {
    lastStay += 1
    let isHeld = !isToldAlready && description.authorization != .authorized
    stays.append(
      Stay(id: lastStay, description: description, phase: isHeld ? .held(since: now) : .told))
    return isToldAlready || isHeld ? [] : [.arrived(lastStay)]
  }

  private static func end(_ stay: Stay) -> Change? {
    switch stay.phase {
    case .told: .left(stay.id)
    case .held: .withdrawn(stay.id)
    case .lost: nil
    }
  }
}

extension CaptureDeviceDescription {
  /// Whether both are of one camera in one stay.
  ///
  /// The node and the connection say it even where the name has changed: of twins, only a name with
  /// the port tells which is which, and the port is part of the name only while both are there.
  func isSameStay(as other: CaptureDeviceDescription) -> Bool {
    guard connectionID == other.connectionID, nodePath == other.nodePath else { return false }
    return uniqueID == other.uniqueID || (connectionID != nil && nodePath != nil)
  }
}
