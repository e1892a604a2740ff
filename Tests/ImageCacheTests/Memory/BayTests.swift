import Dispatch
import Synchronization
import TestSupport
import Testing

@testable import ImageCache

@Suite(.timeLimit(.minutes(1)))
struct BayTests {
  @Test func countsWhoAskedAtWhicheverGate() {
    let bay = Bay()
    bay.change { $0.insert("key", 5, Token(), node: 7) }

    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<100 {
        _ = bay.use("key", 5)
        _ = bay.use("other", 5)
      }
    }

    #expect(bay.requests == Bay.Requests(hits: 800, misses: 800))
  }

  /// The table grows and shrinks and entries move while others look: each finds what was never
  /// taken out, and nothing else.
  @Test func changesWhileNobodyReads() {
    let bay = Bay()
    let lasting = (0..<20).map { (key: "lasting \($0)", tag: UInt32($0), token: Token()) }
    for (index, entry) in lasting.enumerated() {
      bay.change { $0.insert(entry.key, entry.tag, entry.token, node: Int32(index)) }
    }
    let isOver = Atomic(false)

    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      guard thread == 0 else {
        while !isOver.load(ordering: .relaxed) {
          for entry in lasting { #expect(bay.use(entry.key, entry.tag) === entry.token) }
        }
        return
      }
      for round in 0..<200 {
        for node in 100..<200 {
          bay.change { $0.insert("\(node)", UInt32(node * round), Token(), node: Int32(node)) }
        }
        for node in 100..<200 {
          _ = bay.change { $0.remove(Int32(node), UInt32(node * round)) }
        }
      }
      isOver.store(true, ordering: .relaxed)
    }

    #expect(bay.change { $0.count } == lasting.count)
  }
}
