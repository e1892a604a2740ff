/// Changes that a reader has not taken yet; bounded, and nothing that still matters is lost.
struct ChangeQueue {
  /// How many wait before those are left out that cancel each other.
  static let limit = 64

  private var changes: [CaptureDeviceChange] = []

  var count: Int { changes.count }

  mutating func append(_ change: CaptureDeviceChange) {
    changes.append(change)
    guard changes.count > Self.limit else { return }
    // What is left is at most what the reader knew and what is there now, each once.
    let gone = Set(
      changes.compactMap { if case .disconnected(let device) = $0 { device } else { nil } })
    let come = Set(
      changes.compactMap { if case .connected(let device) = $0 { device } else { nil } })
    let brief = gone.intersection(come)
    var updated: Set<CaptureDevice> = []
    changes.removeAll { change in
      if brief.contains(change.device) { return true }
      guard case .updated(let device) = change else { return false }
      return gone.contains(device) || !updated.insert(device).inserted
    }
  }

  mutating func take() -> CaptureDeviceChange? {
    changes.isEmpty ? nil : changes.removeFirst()
  }
}
