import LinuxSystem

/// When it is worth looking at the nodes again; pure, times in nanoseconds.
///
/// A plug is a burst: a camera's nodes are made one after the other, udev changes owner and mode of
/// each. A node that was just made may say ENODEV for a moment, since the driver marks it as usable
/// last, and nothing is heard when it does: so new nodes are tried until they can be opened.
struct NodeChanges {
  /// A burst is over when nothing has happened for this long …
  static let quiet: UInt64 = 30_000_000
  /// … or, where it does not end, after this long.
  static let longest: UInt64 = 250_000_000
  /// The time from the first try of a new node to the second; each pause is twice the one before.
  static let firstPause: UInt64 = 10_000_000
  /// How long a node is tried.
  static let patience: UInt64 = 2_000_000_000
  /// How many nodes are tried at a time; there are 256 numbers.
  static let limit = 256

  /// What a try of a node says.
  enum Readiness {
    /// It can be opened, or says why not.
    case ready
    /// Nothing answers behind it.
    case notYet
    case gone
  }

  private struct Trial {
    let since: UInt64
    var next: UInt64
    var pause = NodeChanges.firstPause
  }

  private var trials: [String: Trial] = [:]
  private var news: (first: UInt64, last: UInt64)?

  /// When something is to be done although nothing happens; nil where nothing is.
  var deadline: UInt64? {
    (trials.values.map(\.next) + [reportTime].compactMap(\.self)).min()
  }

  private var reportTime: UInt64? {
    news.map { min($0.last + Self.quiet, $0.first + Self.longest) }
  }

  /// Whether a name is one of a video node.
  static func isNode(_ name: String) -> Bool {
    name.hasPrefix("video") && UInt32(name.dropFirst(5)) != nil
  }

  /// Something has happened in the folder of nodes.
  mutating func notice(_ changes: DirectoryChanges, at now: UInt64) {
    if changes.isIncomplete { note(at: now) }
    for name in changes.names where Self.isNode(name) {
      if trials.count < Self.limit {
        trials[name] = Trial(since: now, next: now)
      } else {
        note(at: now)
      }
    }
  }

  /// The nodes to be tried now; say of each what came of it.
  func trialsDue(at now: UInt64) -> [String] {
    trials.filter { $0.value.next <= now }.keys.sorted()
  }

  /// A node was tried.
  mutating func tried(_ name: String, _ readiness: Readiness, at now: UInt64) {
    guard var trial = trials[name] else { return }
    guard readiness == .notYet, now < trial.since + Self.patience else {
      trials[name] = nil
      note(at: now)
      return
    }
    trial.next = now + trial.pause
    trial.pause *= 2
    trials[name] = trial
  }

  /// Whether it is time to look at all nodes; says so once.
  mutating func takeReport(at now: UInt64) -> Bool {
    guard let reportTime, reportTime <= now else { return false }
    news = nil
    return true
  }

  private mutating func note(at now: UInt64) {
    news = (news?.first ?? now, now)
  }
}
