import Testing

@testable import CaptureKitLibrary

@Suite(.timeLimit(.minutes(1)))
struct PendingChangeTests {
  private func change(
    inserted: Set<String> = [], removed: Set<String> = [], updated: Set<String> = []
  ) -> PhotoLibrary.Change {
    var change = PhotoLibrary.Change()
    (change.inserted, change.removed, change.updated) = (inserted, removed, updated)
    return change
  }

  @Test func addsUpWhatHappensToOneAsset() {
    var pending = PendingChange()
    pending.add(change(inserted: ["new", "shortLived"], removed: ["back"], updated: ["old"]))
    pending.add(change(inserted: ["back"], removed: ["shortLived", "old"], updated: ["new"]))

    let (taken, rest) = (pending.take(), pending.take())

    #expect(taken == change(inserted: ["new"], removed: ["old"], updated: ["back"]))
    #expect(rest == nil)
  }

  @Test func becomesAReloadAboveItsLimit() {
    var pending = PendingChange()
    for number in 0...PendingChange.limit { pending.add(change(inserted: ["\(number)"])) }
    pending.add(change(removed: ["0"]))

    let (taken, rest) = (pending.take(), pending.take())

    #expect(taken?.isReload == true)
    #expect(taken?.inserted.isEmpty == true && taken?.removed.isEmpty == true)
    #expect(rest == nil)
  }
}
