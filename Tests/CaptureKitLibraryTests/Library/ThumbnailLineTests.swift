import Testing

@testable import CaptureKitLibrary

@Suite(.timeLimit(.minutes(1)))
struct ThumbnailLineTests {
  /// A line with what it has answered, so that a test reads as what happens.
  private final class Desk {
    var line: ThumbnailLine<String, Int>

    init(width: Int) { line = ThumbnailLine(width: width) }

    /// - Returns: The number of who waits, and whether a worker is needed.
    func join(_ request: String, _ waiter: Int) -> (number: UInt64, needsWorker: Bool) {
      let number = line.newNumber()
      let joined = line.join(request, number, waiter)
      if case .needsWorker = joined { return (number, true) }
      return (number, false)
    }

    func next() -> String? { line.next() }
    func finish(_ request: String) -> [Int] { line.finish(request).sorted() }
    func leave(_ number: UInt64) -> Int? { line.leave(number) }
  }

  @Test func makesEachOnceForAllWhoWait() {
    let desk = Desk(width: 2)
    #expect(desk.join("a", 1).needsWorker)
    #expect(!desk.join("a", 2).needsWorker)
    #expect(desk.next() == "a")
    #expect(!desk.join("a", 3).needsWorker)

    #expect(desk.finish("a") == [1, 2, 3])
    #expect(desk.next() == nil)
  }

  @Test func beginsWithTheNewestAndHasNoMoreWorkersThanItMay() {
    let desk = Desk(width: 2)

    let starts = ["a", "b", "c"].map { desk.join($0, 0).needsWorker }

    #expect(starts == [true, true, false])
    #expect(desk.next() == "c")
    #expect(desk.next() == "b")
    #expect(desk.finish("c") == [0])
    #expect(desk.next() == "a")
    #expect(desk.next() == nil)
    #expect(desk.join("d", 0).needsWorker)
  }

  @Test func doesNotBeginWhatNobodyWaitsFor() {
    let desk = Desk(width: 1)
    let (first, second) = (desk.join("a", 1).number, desk.join("a", 2).number)

    #expect(desk.leave(first) == 1)
    #expect(desk.leave(second) == 2)

    #expect(desk.next() == nil)
    #expect(desk.leave(second) == nil)
  }

  @Test func goesOnForThoseWhoAreLeft() {
    let desk = Desk(width: 1)
    let first = desk.join("a", 1).number
    _ = desk.join("a", 2)
    #expect(desk.next() == "a")

    #expect(desk.leave(first) == 1)

    #expect(desk.finish("a") == [2])
  }

  @Test func sendsAwayWhoHasLeftBeforeComing() {
    var line = ThumbnailLine<String, Int>(width: 1)
    let number = line.newNumber()
    let left = line.leave(number)
    let joined = line.join("a", number, 5)
    let next = line.next()

    #expect(left == nil)
    guard case .hasLeft(5) = joined else {
      Issue.record("It waits.")
      return
    }
    #expect(next == nil)
  }
}
