import Foundation

/// The last changes, as a stream of events tells them (server-sent events): a page that was away
/// gets those that it has missed, or is told to begin anew.
struct ChangeLog: Sendable {
  /// Other servers, and this one after a restart, count anew.
  let epoch: String
  /// How many changes there were.
  private(set) var revision = 0
  private var events: [Data] = []
  private let limit: Int

  init(epoch: String, limit: Int = 500) {
    self.epoch = epoch
    self.limit = limit
  }

  private struct Numbered: Encodable {
    let revision: Int
    let change: ListChange
  }

  /// Notes a change.
  ///
  /// - Returns: Its event.
  mutating func append(_ change: ListChange) -> Data {
    revision += 1
    let text = (try? JSONEncoder().encode(Numbered(revision: revision, change: change))) ?? Data()
    let event = Self.event("change", text, id: "\(epoch).\(revision)")
    events.append(event)
    if events.count > limit { events.removeFirst(events.count - limit) }
    return event
  }

  /// What a page gets first.
  ///
  /// - Parameter last: The id of the last event that it has got; nil for none.
  /// - Returns: Events.
  func greeting(after last: String?) -> Data {
    guard let last else { return hello }
    let parts = last.split(separator: ".")
    guard parts.count == 2, parts[0] == epoch, let seen = Int(parts[1]), seen <= revision,
      seen >= revision - events.count
    else { return Self.event("reset", Data("{}".utf8), id: "\(epoch).\(revision)") }
    return events.suffix(revision - seen).reduce(into: hello) { $0 += $1 }
  }

  /// Says which change was the last, so that a page sees whether it has all of them.
  private var hello: Data {
    Self.event("hello", Data("{\"epoch\":\"\(epoch)\",\"revision\":\(revision)}".utf8))
  }

  /// An event; JSON has no line breaks of its own.
  static func event(_ name: String, _ json: Data, id: String? = nil) -> Data {
    var event = Data("event: \(name)\n".utf8)
    if let id { event += Data("id: \(id)\n".utf8) }
    return event + Data("data: ".utf8) + json + Data("\n\n".utf8)
  }
}
