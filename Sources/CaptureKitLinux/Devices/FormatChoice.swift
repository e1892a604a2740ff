import Synchronization

/// A format chosen for a device, and when, among all choices of the process.
struct FormatChoice: Sendable {
  let format: CaptureDevice.Format
  let turn: ChoiceTurn
}

/// Orders choices that are made in different places: the later one decides.
struct ChoiceTurn: Hashable, Comparable, Sendable {
  private let number: UInt64
  private static let last = Atomic<UInt64>(0)

  static func next() -> ChoiceTurn {
    ChoiceTurn(number: last.add(1, ordering: .sequentiallyConsistent).newValue)
  }

  static func < (earlier: ChoiceTurn, later: ChoiceTurn) -> Bool {
    earlier.number < later.number
  }
}
