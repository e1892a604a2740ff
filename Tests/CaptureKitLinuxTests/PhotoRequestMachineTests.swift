import Testing

@testable import CaptureKitLinux

@Suite(.timeLimit(.minutes(1)))
struct PhotoRequestMachineTests {
  typealias Machine = PhotoRequestMachine

  static func at(_ milliseconds: Int64) -> HostTime {
    HostTime(nanoseconds: milliseconds * 1_000_000)
  }

  static func frame(
    _ milliseconds: Int64, _ reference: FrameTimestamp.Reference, gap: Int64? = 33
  ) -> Machine.FrameFacts {
    Machine.FrameFacts(
      timestamp: FrameTimestamp(at(milliseconds), reference), duration: .milliseconds(33),
      sincePreviousPickup: gap.map { .milliseconds($0) })
  }

  static func waiting(settledAt: Int64 = 1000) -> Machine {
    var machine = Machine(requestedAt: at(1000), notBefore: at(settledAt))
    _ = machine.begin()
    return machine
  }

  @Test func announcesTheBeginOnce() {
    var machine = Machine(requestedAt: Self.at(1000), notBefore: Self.at(1000))

    #expect(machine.begin() == [.announceBegin])
    #expect(machine.begin() == [])
  }

  @Test(arguments: [
    (Int64(1000), FrameTimestamp.Reference.startOfExposure, false),
    (1001, .startOfExposure, true),
    (1033, .endOfFrame, false),
    (1034, .endOfFrame, true),
  ])
  func takesOnlyWhatWasExposedAfterTheRequest(
    stamp: Int64, reference: FrameTimestamp.Reference, isTaken: Bool
  ) {
    var machine = Self.waiting()

    let actions = machine.receive(Self.frame(stamp, reference))

    #expect(actions == (isTaken ? [.announceWillCapture, .announceDidCapture, .makePicture] : []))
  }

  @Test(
    arguments: [
      (nil, nil, 2500, false), (nil, 500, 1500, false), (nil, 500, 1501, true),
      (33, 500, 1100, false), (33, 5, 1034, true), (33, 60_000, 3001, true),
    ] as [(Int64?, Int64?, Int64, Bool)])
  func allowsForTheLongestExposureThatMayBe(
    duration: Int64?, gap: Int64?, stamp: Int64, isTaken: Bool
  ) {
    var machine = Self.waiting()

    let actions = machine.receive(
      Machine.FrameFacts(
        timestamp: FrameTimestamp(Self.at(stamp), .endOfFrame),
        duration: duration.map { .milliseconds($0) },
        sincePreviousPickup: gap.map { .milliseconds($0) }))

    #expect(actions.isEmpty != isTaken)
  }

  @Test func skipsWaitingFramesAndOneMoreWhereThereIsNoStamp() {
    var machine = Self.waiting()

    #expect(machine.receive(Self.frame(1001, .pickup, gap: 1)) == [])
    #expect(machine.receive(Self.frame(1002, .pickup, gap: 1)) == [])
    #expect(machine.receive(Self.frame(1035, .pickup, gap: 33)) == [])
    #expect(
      machine.receive(Self.frame(1036, .pickup, gap: 1)) == [
        .announceWillCapture, .announceDidCapture, .makePicture,
      ])
  }

  @Test func doesNotWaitForEverForACameraThatNeverPauses() {
    var machine = Self.waiting()

    let taken = (0..<40).first { index in
      !machine.receive(Self.frame(1001 + Int64(index), .pickup, gap: 1)).isEmpty
    }

    #expect(taken == 33)
  }

  @Test func waitsUntilExposureHasSettled() {
    var machine = Self.waiting(settledAt: 1800)

    #expect(machine.receive(Self.frame(1700, .startOfExposure)) == [])
    #expect(
      machine.receive(Self.frame(1801, .startOfExposure)) == [
        .announceWillCapture, .announceDidCapture, .makePicture,
      ])
  }

  @Test func deliversAndFinishes() {
    var machine = Self.waiting()
    _ = machine.receive(Self.frame(1001, .startOfExposure))

    #expect(machine.pictureIsMade() == [.deliver(photo: 1), .finish])
    #expect(machine.isOver)
  }

  @Test func makesUpForADamagedFrameWithTheNext() {
    var machine = Self.waiting()
    _ = machine.receive(Self.frame(1001, .startOfExposure))

    #expect(machine.pictureFailed(.corruptFrame) == [])
    #expect(machine.receive(Self.frame(1034, .startOfExposure)) == [.makePicture])
    #expect(machine.pictureIsMade() == [.deliver(photo: 1), .finish])
  }

  @Test func saysThatFramesWereDamagedWhenTimeIsUp() {
    var machine = Self.waiting()
    _ = machine.receive(Self.frame(1001, .startOfExposure))
    _ = machine.pictureFailed(.corruptFrame)

    #expect(machine.end(.timedOut) == [.fail(.corruptFrame, photo: 1), .finish])
  }

  @Test func givesUpAtOnceWhereNoFrameCanDoBetter() {
    var machine = Self.waiting()
    _ = machine.receive(Self.frame(1001, .startOfExposure))

    #expect(
      machine.pictureFailed(.unsupportedFormat) == [.fail(.unsupportedFormat, photo: 1), .finish])
  }

  @Test(arguments: [CaptureError.Code.timedOut, .disconnected, .stopped])
  func endsOnceWhileWaiting(code: CaptureError.Code) {
    var machine = Self.waiting()

    #expect(machine.end(code) == [.fail(code, photo: 1), .finish])
    #expect(machine.end(.stopped) == [])
    #expect(machine.receive(Self.frame(1100, .startOfExposure)) == [])
  }

  @Test func deliversWhatWasTakenBeforeTheEnd() {
    var machine = Self.waiting()
    _ = machine.receive(Self.frame(1001, .startOfExposure))

    #expect(machine.end(.disconnected) == [])
    #expect(machine.pictureIsMade() == [.deliver(photo: 1), .finish])
  }

  @Test func endsWithTheReasonWhereTheLastFrameWasDamaged() {
    var machine = Self.waiting()
    _ = machine.receive(Self.frame(1001, .startOfExposure))
    _ = machine.end(.disconnected)

    #expect(machine.pictureFailed(.corruptFrame) == [.fail(.disconnected, photo: 1), .finish])
  }

  @Test func blamesTheDamageWhereTheDeadlinePassesOverADamagedPicture() {
    var machine = Machine(requestedAt: Self.at(1000), notBefore: Self.at(0))
    _ = machine.begin()
    _ = machine.receive(Self.frame(1001, .startOfExposure))

    #expect(machine.end(.timedOut) == [])
    #expect(machine.pictureFailed(.corruptFrame) == [.fail(.corruptFrame, photo: 1), .finish])
  }

  @Test func blamesTheDamageOfFramesThatWereLeftOut() {
    var early = Machine(requestedAt: Self.at(1000), notBefore: Self.at(0), preparation: .once)
    _ = early.begin()
    early.meetDamage()
    #expect(early.end(.timedOut) == [.fail(.timedOut, photo: 1), .finish])

    var machine = Machine(requestedAt: Self.at(1000), notBefore: Self.at(0))
    _ = machine.begin()
    machine.meetDamage()
    #expect(machine.end(.timedOut) == [.fail(.corruptFrame, photo: 1), .finish])
  }

  /// Every order of up to five events, for one photo and for several, with and without preparation:
  /// begin first, finish last, each once, nothing after; each photo once, or why it is not there.
  @Test(arguments: [1, 3], [Machine.Preparation.none, .once, .forEachPhoto])
  func keepsTheContractWhateverHappens(count: Int, preparation: Machine.Preparation) {
    let events: [(inout Machine) -> [Machine.Action]] = [
      { $0.receive(Self.frame(2000, .startOfExposure)) },
      { $0.receive(Self.frame(10, .startOfExposure)) },
      { $0.receiveEarlier() },
      { $0.pictureIsMade() },
      { $0.pictureFailed(.corruptFrame) },
      { $0.pictureFailed(.cannotEncode) },
      { $0.end(.stopped) },
      { machine in
        machine.meetDamage()
        return []
      },
      { machine in
        machine.prepared(at: Self.at(1500), settledBy: Self.at(1500))
        return []
      },
    ]
    let depth = 5
    var sequences = 1
    for _ in 0..<depth { sequences *= events.count }
    for number in 0..<sequences {
      var machine = Machine(
        requestedAt: Self.at(1000), notBefore: Self.at(0), count: count, preparation: preparation)
      var log = machine.begin() + machine.start()
      var rest = number
      for _ in 0..<depth {
        log += events[rest % events.count](&machine)
        rest /= events.count
      }
      // As when the session goes away in the end, with or without pictures on their way.
      log += machine.end(.stopped)
      for _ in 0..<count { log += machine.pictureFailed(.corruptFrame) }
      let isRight =
        log.first == .announceBegin && log.last == .finish
        && [.announceBegin, .finish].allSatisfy { log.count(of: $0) == 1 }
        && log.count(of: .announceWillCapture) <= 1
        && log.count(of: .announceDidCapture) == log.count(of: .announceWillCapture)
        && log.compactMap(\.photo) == Array(1...count)
      guard isRight else {
        Issue.record("sequence \(number): \(log)")
        return
      }
    }
  }
}

extension PhotoRequestMachine.Action {
  /// Which photo an action is the result of.
  var photo: Int? {
    switch self {
    case .deliver(let photo), .fail(_, let photo): photo
    default: nil
    }
  }
}

extension [PhotoRequestMachine.Action] {
  func count(of action: PhotoRequestMachine.Action) -> Int { filter { $0 == action }.count }
}
