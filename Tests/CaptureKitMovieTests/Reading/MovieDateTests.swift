import Foundation
import Testing

@testable import CaptureKitMovie

@Suite(.timeLimit(.minutes(1)))
struct MovieDateTests {
  @Test(arguments: [
    ("2026-12-01T09:30:15Z", 1_796_117_415.0),
    ("2026-12-01T09:30:15.250000Z", 1_796_117_415.25),
    ("2026-12-01 09:30:15Z", 1_796_117_415),
    ("2026-12-01T10:30:15+0100", 1_796_117_415),
    ("2026-12-01T02:00:15-07:30", 1_796_117_415),
    ("2026-12-01T10:30:15+01", 1_796_117_415),
    ("2026-12-01T12:30:15", 1_796_117_415),
    ("2016-12-31T23:59:60Z", 1_483_228_799),
    ("2024-02-29T00:00:00Z", 1_709_164_800),
    ("1970-01-01T00:00:01Z", 1),
    ("9999-12-31T23:59:59Z", 253_402_300_799),
  ])
  func readsDates(text: String, seconds: Double) throws {
    let zone = try #require(TimeZone(secondsFromGMT: 3 * 3600))

    #expect(MovieDate.date(text, in: zone)?.timeIntervalSince1970 == seconds)
  }

  @Test(arguments: [
    "", "Z", "yesterday", "2026", "2026-12-01", "2026-12-01T", "2026-12-01T09:30Z", "0",
    "2026-13-01T09:30:15Z", "2026-00-01T09:30:15Z", "2026-12-32T09:30:15Z", "2026-12-00T09:30:15Z",
    "2026-02-29T09:30:15Z", "2026-04-31T09:30:15Z", "2026-12-01T24:30:15Z", "2026-12-01T09:60:15Z",
    "2026-12-01T09:30:61Z", "2026-12-01T09:30:15.Z", "2026-12-01T09:30:15Zulu",
    "2026-12-01T09:30:15+1", "2026-12-01T09:30:15+99:00", "2026-12-01T09:30:15+01:60",
    "+026-12-01T09:30:15Z", "2026-1x-01T09:30:15Z", "٢٠٢٦-12-01T09:30:15Z",
    "2026-12-01T09:30:15." + String(repeating: "9", count: 100) + "Z",
    // A field that is empty, or a clock that nobody has set.
    "1970-01-01T00:00:00Z", "1904-01-01T00:00:00Z", "0000-00-00T00:00:00Z",
  ])
  func takesNothingElseForADate(text: String) {
    #expect(MovieDate.date(text) == nil)
  }

  @Test(arguments: [0.5, 1_796_117_415.25, 253_402_300_700])
  func readsWhatItWrites(seconds: Double) throws {
    let text = try #require(MovieDate.text(Date(timeIntervalSince1970: seconds)))

    #expect(MovieDate.date(text)?.timeIntervalSince1970 == seconds)
  }

  @Test(arguments: [-1, 1e12, .infinity, -.infinity, .nan])
  func writesNoDateThatNobodyReads(seconds: Double) {
    #expect(MovieDate.text(Date(timeIntervalSince1970: seconds)) == nil)
  }
}
