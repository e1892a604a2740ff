import LinuxSystem
import Testing

@testable import CaptureKitLibrary

@Suite(.timeLimit(.minutes(1)))
struct LibraryCatalogTests {
  private typealias Update = LibraryCatalog.Update

  private func entry(
    _ name: String, _ captured: Int64, _ kind: LibraryEntry.Kind = .image, folder: String = "/p"
  ) -> LibraryEntry {
    let stamp = FileStamp(byteCount: 1, modified: captured * 1000, changed: 0, fileNumber: 1)
    return LibraryEntry(path: RawPath(folder + "/" + name), stamp: stamp, kind: kind)
  }

  private let all: Set<LibraryEntry.Kind> = [.image, .movie]

  @Test func listsTheNewestFirstAndEqualMomentsByPath() {
    var catalog = LibraryCatalog()

    _ = catalog.apply([
      .put(entry("b", 5)), .put(entry("c", 9)), .put(entry("a", 5)), .put(entry("note", 7, .other)),
    ])

    #expect(catalog.page(0..<9, all).map(\.path.shown) == ["/p/c", "/p/a", "/p/b"])
    #expect(catalog.page(1..<2, all).map(\.path.shown) == ["/p/a"])
    #expect(catalog.page(3..<9, all).isEmpty)
  }

  @Test func saysWhatBecameDifferentAndNothingElse() {
    var catalog = LibraryCatalog()
    _ = catalog.apply([.put(entry("a", 1)), .put(entry("b", 2)), .put(entry("c", 3, .other))])

    let difference = catalog.apply([
      .put(entry("a", 1)), .put(entry("b", 7)), .put(entry("c", 3)), .put(entry("d", 4)),
      .remove(RawPath("/p/nothing")), .look(entry("gone", 1)),
    ])

    #expect(difference.updated == [RawPath("/p/b")])
    #expect(difference.inserted == [RawPath("/p/c"), RawPath("/p/d")])
    #expect(difference.removed.isEmpty)
    #expect(difference.touched.count == 3)
    let nothing = catalog.apply([.put(entry("d", 4))])
    #expect(nothing.isEmpty)
  }

  /// Whatever comes in whatever order, the list is what sorting all of it would give, and the
  /// differences add up to it.
  @Test(arguments: 0..<20) func isAlwaysInOrder(seed: UInt64) {
    var random = SplitMix(state: seed)
    var catalog = LibraryCatalog()
    var model: [RawPath: LibraryEntry] = [:]
    var told: Set<RawPath> = []
    for _ in 0..<60 {
      var updates: [Update] = []
      for _ in 0..<random.number(40) {
        let entry = entry(
          "\(random.number(60))", Int64(random.number(12)),
          [.image, .movie, .other][random.number(3)], folder: "/p/\(random.number(3))")
        switch random.number(4) {
        case 0:
          updates.append(.remove(entry.path))
          model[entry.path] = nil
        case 1:
          updates.append(.look(entry))
          if model[entry.path] != nil { model[entry.path] = entry }
        default:
          updates.append(.put(entry))
          model[entry.path] = entry
        }
      }
      let difference = catalog.apply(updates)
      told.formUnion(difference.inserted)
      told.subtract(difference.removed)

      let sorted = model.values.filter { $0.kind != .other }.sorted {
        ($1.captured, $0.path.shown) < ($0.captured, $1.path.shown)
      }
      #expect(catalog.page(0..<999, all) == sorted)
      #expect(told == Set(sorted.map(\.path)))
      #expect(catalog.entryCount == model.count)
      #expect(catalog.unlookedCount == model.count)
      let movies = sorted.filter { $0.kind == .movie && $0.path.shown.hasPrefix("/p/1/") }
      #expect(catalog.page(0..<999, in: RawPath("/p/1"), [.movie]) == movies)
      #expect(
        catalog.page(1..<3, in: RawPath("/p/1"), [.movie]) == Array(movies.dropFirst().prefix(2)))
      #expect(catalog.count(in: RawPath("/p/1"), [.movie]) == movies.count)
    }
  }

  @Test func isTheSameMadeAtOnceOrStepByStep() {
    let entries = (0..<200).map {
      entry("\($0)", Int64($0 * 7 % 50), [.image, .movie, .other][$0 % 3], folder: "/p/\($0 % 4)")
    }
    var added = LibraryCatalog()
    for entry in entries { _ = added.apply([.put(entry)]) }

    let made = LibraryCatalog(entries + [entries[0]], albums: [RawPath("/p/1")])

    #expect(made.page(0..<999, all) == added.page(0..<999, all))
    #expect(
      made.page(0..<999, in: RawPath("/p/1"), [.movie])
        == added.page(0..<999, in: RawPath("/p/1"), [.movie]))
    #expect(made.unlookedCount == 200)
    #expect(made.entryCount == 200)
    #expect(made.albums == [RawPath("/p/1")])
  }

  @Test func removesOnlyWhatAScanHasReadAndNotFound() {
    var catalog = LibraryCatalog()
    _ = catalog.apply(
      ["/p", "/p/a", "/p/b", "/p/b/c", "/p/bc"].map { .put(entry("x", 1, folder: $0)) })
    var scan = LibraryScan()
    scan.tops = [RawPath("/p/b")]
    scan.unreadable = [RawPath("/p/b/c")]

    #expect(catalog.updates(for: scan) == [.remove(RawPath("/p/b/x"))])
    scan.isCut = true
    #expect(catalog.updates(for: scan).isEmpty)
  }

  @Test func looksAtAFileAgainOnlyWhereItsStampIsAnotherOne() throws {
    var catalog = LibraryCatalog()
    var known = entry("x.jpg", 5)
    known.isLookedAt = true
    known.isDateFromFile = false
    known.captured = 77
    _ = catalog.apply([.put(known)])
    var stamp = known.stamp

    #expect(catalog.update(for: known.path, stamp) == nil)
    stamp.changed = 1
    let update = try #require(catalog.update(for: known.path, stamp))
    guard case .put(let entry) = update else { throw Unexpected() }
    #expect(!entry.isLookedAt)
    // Not before it says another one.
    #expect(entry.captured == 77)
  }

  private struct Unexpected: Error {}
}

/// Numbers that are the same in each run.
struct SplitMix {
  var state: UInt64

  mutating func number(_ limit: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((mixed ^ (mixed >> 31)) % UInt64(limit))
  }
}
