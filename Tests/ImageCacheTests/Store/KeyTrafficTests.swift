import Foundation
import Synchronization
import Testing

@testable import ImageCache

@Suite(.timeLimit(.minutes(1)))
struct KeyTrafficTests {
  private let traffic = KeyTraffic()
  private let request = KeyTraffic.Request(key: "bike")

  /// Leads a load of the request; nil where another one is under way.
  private func lead() -> KeyTraffic.Flight? {
    if case .leader(let flight) = traffic.join(request, leading: nil, following: LoadWaiter()) {
      flight
    } else {
      nil
    }
  }

  @Test func givesOneLoadToAllWhoWait() async throws {
    let flight = try #require(lead())
    let waiters = (0..<3).map { _ in LoadWaiter() }
    for waiter in waiters {
      guard case .follower = traffic.join(request, leading: nil, following: waiter) else {
        Issue.record("a second load has begun")
        return
      }
    }
    let other = traffic.join(
      .init(key: "bike", maxPixelSize: 20), leading: nil, following: LoadWaiter())
    guard case .leader = other else {
      Issue.record("a thumbnail waits for the picture")
      return
    }
    let loaded = try NumberedPictures.image(8)
    var isRemembered = false

    let isCurrent = traffic.land(flight, .success(loaded)) {
      isRemembered = true
      return nil
    }

    #expect(isCurrent)

    #expect(isRemembered)
    guard case .loaded(let outcome) = waiters[0].wait(for: .seconds(10)) else {
      Issue.record("nobody told")
      return
    }
    #expect(try outcome.get() === loaded)
    guard case .loaded = await waiters[1].answer() else {
      Issue.record("nobody told the task")
      return
    }
    #expect(lead() != nil)
  }

  @Test(arguments: [true, false])
  func remembersNothingThatAChangeHasOvertaken(isOurs: Bool) throws {
    let flight = try #require(lead())
    let waiter = LoadWaiter()
    _ = traffic.join(request, leading: nil, following: waiter)
    var changed = false

    if isOurs {
      try traffic.change("bike") { () throws(ImageStoreError) in
        1
      } remember: {
        changed = $0 == 1
        return nil
      }
    } else {
      traffic.overtake("bike") {
        changed = true
        return nil
      }
    }

    #expect(changed)
    guard case .overtaken = waiter.wait(for: .seconds(10)) else {
      Issue.record("the waiter was not told")
      return
    }
    let later = lead()
    #expect(later != nil)
    let isCurrent = traffic.land(flight, .success(nil)) {
      Issue.record("remembered")
      return nil
    }
    #expect(!isCurrent)
    #expect(try traffic.land(#require(later), .success(nil)) { nil })
  }

  @Test func leavesALoadThatEndsWithinAChangeToTheChange() throws {
    try traffic.change("bike") { () throws(ImageStoreError) in
      guard let flight = lead() else { throw ImageStoreError(.failed, "no load may begin") }
      var isRemembered = false
      let isCurrent = traffic.land(flight, .success(nil)) {
        isRemembered = true
        return nil
      }
      #expect(isCurrent && isRemembered)
    } remember: { _ in
      nil
    }
    #expect(lead() != nil)
  }

  @Test func changesAKeyOneAfterTheOther() throws {
    let state = Mutex((active: 0, most: 0, count: 0))

    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<20 {
        try? traffic.change("bike") { () throws(ImageStoreError) in
          state.withLock {
            $0.active += 1
            $0.most = max($0.most, $0.active)
          }
          usleep(50)
          state.withLock {
            $0.active -= 1
            $0.count += 1
          }
        } remember: { _ in
          nil
        }
      }
    }

    #expect(state.withLock { $0 } == (0, 1, 160))
  }

  /// A change that is held up by its disk, for instance.
  @Test func doesNotWaitForEverForAnotherChange() throws {
    let traffic = KeyTraffic(patience: .milliseconds(50))
    var error: ImageStoreError?
    try traffic.change("bike") { () throws(ImageStoreError) in
      error = #expect(throws: ImageStoreError.self) {
        try traffic.change("bike") { () throws(ImageStoreError) in
          Issue.record("two changes at once")
        } remember: { _ in
          nil
        }
      }
    } remember: { _ in
      nil
    }
    #expect(error?.code == .failed && error?.errno == ETIMEDOUT)
    // It stands in nobody's way afterwards.
    try traffic.change("bike") { () throws(ImageStoreError) in
    } remember: { _ in
      nil
    }
  }

  @Test func doesNotWaitForEverForAnAnswer() {
    #expect(LoadWaiter().wait(for: .milliseconds(50)) == nil)
  }

  @Test func givesTheTurnOnWhenAChangeFails() throws {
    var isRemembered = false
    #expect(throws: ImageStoreError.self) {
      try traffic.change("bike") { () throws(ImageStoreError) in
        throw ImageStoreError(.noSpace, "full")
      } remember: { (_: Int?) in
        isRemembered = true
        return nil
      }
    }
    #expect(!isRemembered)
    try traffic.change("bike") { () throws(ImageStoreError) in
      1
    } remember: {
      #expect($0 == 1)
      return nil
    }
  }

  @Test func remembersNoPictureThatWasRemovedWithAllOthers() throws {
    try traffic.change("bike") { () throws(ImageStoreError) in
      traffic.overtake(nil) { nil }
      return 1
    } remember: {
      #expect($0 == nil)
      return nil
    }
  }

  @Test func beginsNothingThatNobodyWaitsForAnyMore() throws {
    let (first, second) = (LoadWaiter(), LoadWaiter())
    guard case .leader(let flight) = traffic.join(request, leading: first, following: first) else {
      Issue.record("it did not begin")
      return
    }
    _ = traffic.join(request, leading: second, following: second)

    traffic.leave(request, first)
    traffic.leave(request, second)
    #expect(!traffic.begin(flight))
    #expect(lead() != nil)
  }

  /// Of a queue that is long, a reading ahead of thousands of pictures for instance.
  @Test func doesAtOnceWhatStandsInAQueue() throws {
    let queued = LoadWaiter()
    guard case .leader(let flight) = traffic.join(request, leading: queued, following: queued)
    else {
      Issue.record("it did not begin")
      return
    }
    let own = try #require(lead(), "whoever has a thread waits for the queue")

    #expect(!traffic.begin(flight), "it is done twice")
    #expect(lead() == nil)
    #expect(traffic.land(own, .success(nil)) { nil })
    guard case .loaded = queued.wait(for: .seconds(10)) else {
      Issue.record("who stood in the queue was not told")
      return
    }
  }

  @Test func letsATaskInAHurryLeadWhatStandsInAQueue() {
    let (first, second) = (LoadWaiter(), LoadWaiter())
    guard case .leader = traffic.join(request, leading: first, following: first),
      case .leader(let flight) = traffic.join(request, leading: second, following: second)
    else {
      Issue.record("the second one waits for the queue")
      return
    }
    traffic.leave(request, first)

    #expect(traffic.begin(flight))
    #expect(!traffic.begin(flight))
    #expect(traffic.land(flight, .success(nil)) { nil })
    guard case .loaded = second.wait(for: .seconds(10)) else {
      Issue.record("nobody told")
      return
    }
  }

  @Test func isNotOvertakenByAChangeThatIsKnown() throws {
    let flight = try #require(lead())
    traffic.overtake("bike", unless: { true }, forget: { Issue.record("forgotten") })
    #expect(traffic.land(flight, .success(nil)) {})
  }

  @Test func letsNobodyWaitForALoadThatAFailedChangeHasOvertaken() throws {
    let waiter = LoadWaiter()
    _ = traffic.join(request, leading: waiter, following: waiter)

    #expect(throws: ImageStoreError.self) {
      try traffic.change("bike") { () throws(ImageStoreError) in
        throw ImageStoreError(.noSpace, "full")
      } remember: { (_: Int?) in
        nil
      }
    }

    waiter.answer(.cancelled)
    guard case .overtaken = waiter.wait(for: .seconds(10)) else {
      Issue.record("it would wait for ever")
      return
    }
  }
}
