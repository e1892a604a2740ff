import Foundation
import Testing

@testable import lootlogger

@Suite(.timeLimit(.minutes(1)))
struct ChangeLogTests {
  private func row(_ value: Int) -> ItemRow {
    ItemRow(
      key: "key", name: "a\nb", serial: "", value: value, date: 0, category: "other", photo: nil)
  }

  /// A log of three changes that remembers two.
  private func log() throws -> ChangeLog {
    var log = ChangeLog(epoch: "now", limit: 2)
    for value in 1...3 {
      _ = log.append(try #require(ListChange(from: [row(value - 1)], to: [row(value)])))
    }
    return log
  }

  private func ids(_ events: Data) -> [String] {
    String(decoding: events, as: UTF8.self).split(separator: "\n")
      .filter { $0.hasPrefix("id: ") }.map { String($0.dropFirst(4)) }
  }

  @Test func tellsWhatAPageHasMissed() throws {
    let log = try log()

    #expect(ids(log.greeting(after: "now.1")) == ["now.2", "now.3"])
    #expect(ids(log.greeting(after: "now.3")) == [])
    #expect(ids(log.greeting(after: nil)) == [])
  }

  @Test(arguments: ["now.0", "now.4", "then.2", "now.", "now", "", "now.1.2", "now.-1", "now.x"])
  func beginsAnewWhereItDoesNotKnow(_ last: String) throws {
    let greeting = String(decoding: try log().greeting(after: last), as: UTF8.self)

    #expect(greeting.hasPrefix("event: reset\nid: now.3\n"))
  }

  @Test func keepsEachEventOnItsLine() throws {
    let events = String(decoding: try log().greeting(after: "now.2"), as: UTF8.self)
    let event = try #require(events.components(separatedBy: "\n\n").dropFirst().first)

    #expect(event.split(separator: "\n").count == 3)
    #expect(event.contains(#""name":"a\nb""#))
  }
}
