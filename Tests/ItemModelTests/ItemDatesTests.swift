import Foundation
import Testing

@testable import ItemModel

/// How the dates of a JSON file are told apart.
@Suite(.timeLimit(.minutes(1)))
struct ItemDatesTests {
  /// 2026-06-01.
  private let now = Date(timeIntervalSince1970: 1_780_272_000)

  private func read(
    _ dates: [String], as named: ItemDates? = nil, now: Date? = nil
  ) throws -> [TimeInterval] {
    let list = dates.map { #"{"name": "a", "valueInDollars": 1, "dateCreated": \#($0)}"# }
    let bytes = Array("[\(list.joined(separator: ","))]".utf8)
    return try ItemFileReader(dates: named, now: now ?? self.now).contents(of: bytes).items
      .map(\.dateCreated.timeIntervalSince1970)
  }

  private func sentence(_ dates: [String], now: Date? = nil) -> String? {
    do {
      return "\(try read(dates, now: now))"
    } catch ItemFileReader.Failure.unclearDates(let sentence) {
      return sentence
    } catch {
      return nil
    }
  }

  private static let known: [([String], TimeInterval)] = [
    (["736250400.5"], 1_714_557_600.5), (["1714557600.5"], 1_714_557_600.5),
    (["1714557600500"], 1_714_557_600.5), ([#""2024-05-01T10:00:00Z""#], 1_714_557_600),
    ([#""2024-05-01T10:00:00.123456Z""#], 1_714_557_600.123456),
    ([#""2024-05-01T12:00:00,5+02:00""#], 1_714_557_600.5),
    ([#""1999-12-31T23:59:59Z""#], 946_684_799),
  ]

  @Test(arguments: known)
  func areToldApart(dates: [String], expected: TimeInterval) throws {
    #expect(abs(try read(dates)[0] - expected) < 1e-6)
  }

  @Test func areAmbiguousWhereTwoWaysFit() {
    let later = Date(timeIntervalSince1970: 2_100_000_000)

    #expect(
      sentence(["1000000000"], now: later)
        == "Its dates may be deferredToDate or secondsSince1970; say which one they are.")
    #expect(sentence(["1000000000", "1200000000"], now: later) == "[1000000000.0, 1200000000.0]")
  }

  @Test(arguments: [["-5"], ["1e15"], ["736250400", #""2024-05-01T10:00:00Z""#], [#""soon""#]])
  func areUnclearWhereNoWayFits(dates: [String]) {
    #expect(sentence(dates)?.hasPrefix("Its dates fit no way of writing them") == true)
  }

  @Test func areWhatTheCallerSays() throws {
    #expect(try read(["-5"], as: .secondsSince1970) == [-5])
    #expect(try read(["-5000"], as: .millisecondsSince1970) == [-5])
    #expect(try read(["-978307200"], as: .deferredToDate) == [0])
  }

  @Test func areNotMissedInAnEmptyList() throws { #expect(try read([]) == []) }

  @Test func makeOpeningAnErrorThatLeavesTheFile() throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).json")
    defer { try? FileManager.default.removeItem(at: url) }
    let bytes = Data(#"[{"name": "a", "valueInDollars": 1, "dateCreated": -5}]"#.utf8)
    try bytes.write(to: url)

    let error = #expect(throws: ItemStoreError.self) { try ItemStore(contentsOf: url) }

    #expect(error?.code == .unclearDates)
    #expect(try Data(contentsOf: url) == bytes)
    #expect(
      try ItemStore(contentsOf: url, dates: .secondsSince1970).allItems[0].dateCreated
        == Date(timeIntervalSince1970: -5))
  }

  @Test(arguments: [
    0.0, 0.25, 736_250_400.123_456_7, -0.5, -12_345_678.9, 1e-7, 799_999_999.999_999_9,
    -12_622_780_800, 252_455_615_999, 252_455_616_000, -1e11, 1e300, -1e300,
  ])
  func survive(seconds: TimeInterval) throws {
    let date = Date(timeIntervalSinceReferenceDate: seconds)

    let copy = try #require(ISODate.date(ISODate.text(date)))

    #expect(abs(copy.timeIntervalSince(date)) <= 1e-9 + date.timeIntervalSinceReferenceDate.ulp)
  }

  @Test func areToldApartByAComputerWithoutAClock() throws {
    let text = "[{\"name\": \"a\", \"valueInDollars\": 1, \"dateCreated\": 1714557600}]"
    let reader = ItemFileReader(now: Date(timeIntervalSince1970: 5))

    #expect(throws: ItemFileReader.Failure.self) { try reader.contents(of: Array(text.utf8)) }
  }
}
