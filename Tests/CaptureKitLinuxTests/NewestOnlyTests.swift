import Testing

@testable import CaptureKitLinux

@Suite(.timeLimit(.minutes(1)))
struct NewestOnlyTests {
  @Test func startsOneWorkerForWhatIsNew() {
    var newest = NewestOnly<String>()
    let early = newest.startsWorker()
    newest.put("a")
    let first = newest.startsWorker()
    newest.put("b")
    let second = newest.startsWorker()
    #expect(!early && first && !second)

    let next = newest.next()
    let whileBusy = newest.startsWorker()
    let end = newest.next()
    let afterwards = newest.startsWorker()
    #expect(next?.element == "b" && end == nil)
    #expect(!whileBusy && !afterwards, "it was handed out")
  }

  @Test func letsABusyWorkerGoOnWithTheNewest() {
    var newest = NewestOnly<String>()
    newest.put("a")
    _ = newest.startsWorker()
    _ = newest.next()
    newest.put("b")
    newest.put("c")
    let next = newest.next()
    let end = newest.next()
    newest.put("d")
    let again = newest.startsWorker()
    #expect(next?.element == "c" && next?.number == 3)
    #expect(end == nil && again)
  }

  @Test func keepsNothingAfterItsEnd() {
    var newest = NewestOnly<String>()
    newest.put("a")
    _ = newest.startsWorker()
    newest.clear()
    let next = newest.next()
    let starts = newest.startsWorker()
    #expect(newest.newest == nil && next == nil && !starts)
    newest.put("b")
    let again = newest.startsWorker()
    #expect(newest.number == 2 && again)
  }
}
