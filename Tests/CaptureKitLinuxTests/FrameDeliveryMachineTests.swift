import Testing

@testable import CaptureKitLinux

@Suite(.timeLimit(.minutes(1)))
struct FrameDeliveryMachineTests {
  final class Lens {}

  struct Picture: FrameOnItsWay {
    let number: Int64
    let source: Lens
    var needsWork = false
    var presentationTime: HostTime { HostTime(nanoseconds: number) }
  }

  typealias Machine = FrameDeliveryMachine<Picture>

  private let lens = Lens()

  private func picture(_ number: Int64, needsWork: Bool = false) -> Picture {
    Picture(number: number, source: lens, needsWork: needsWork)
  }

  /// What a consumer gets until nothing is left: `3` for a frame, `-3` for one that was dropped.
  private func drain(_ machine: inout Machine, after action: Machine.Action?) -> [Int64] {
    var numbers: [Int64] = []
    var next = action
    while let action = next {
      switch action {
      case .prepare(let picture, let id):
        next = machine.prepared(.frame(self.picture(picture.number)), as: id)
      case .call(let id):
        switch machine.answer(id) {
        case .frame(let picture): numbers.append(picture.number)
        case .dropped(let drop, _): numbers.append(-(drop.presentationTime?.nanoseconds ?? 0))
        case nil: break
        }
        machine.finished()
        next = machine.advance()
      }
    }
    return numbers
  }

  private func call(_ action: Machine.Action?) -> UInt64? {
    if case .call(let id) = action { id } else { nil }
  }

  @Test func callsForOneFrameAtATime() throws {
    var machine = Machine()
    _ = machine.backlog.put(picture(1))
    let id = try #require(call(machine.advance()))
    #expect(machine.advance() == nil)

    #expect(machine.answer(id) != nil)
    _ = machine.backlog.put(picture(2))

    #expect(machine.advance() == nil && machine.answer(id) == nil)
    machine.finished()
    #expect(drain(&machine, after: machine.advance()) == [2])
  }

  @Test func choosesTheNewestWhenTheQueueGetsToIt() throws {
    var machine = Machine()
    _ = machine.backlog.put(picture(1))
    let action = machine.advance()

    #expect(machine.backlog.put(picture(2)).map(\.drop.reason) == [.late])
    #expect(machine.backlog.put(picture(3)).map(\.drop.reason) == [.late])

    #expect(drain(&machine, after: action) == [-1, -2, 3])
  }

  @Test func dropsAllThatWaitWhenLateFramesAreNoLongerKept() {
    var machine = Machine()
    machine.backlog.discardsLate = false
    for number in 1...4 as ClosedRange<Int64> { _ = machine.backlog.put(picture(number)) }

    machine.backlog.discardsLate = true
    let drops = machine.backlog.put(picture(5)).map(\.drop)

    #expect(drops == (1...4).map { DroppedFrame(.late, at: HostTime(nanoseconds: $0)) })
    #expect(drain(&machine, after: machine.advance()) == [-1, -2, -3, -4, 5])
  }

  @Test func keepsEveryFrameInOrderWhereNoneIsLate() {
    var machine = Machine()
    machine.backlog.discardsLate = false
    let reasons = (1...6).map { machine.backlog.put(picture($0)).map(\.drop.reason) }

    #expect(reasons == [[], [], [], [], [.outOfBuffers], [.outOfBuffers]])
    #expect(drain(&machine, after: machine.advance()) == [1, 2, 3, 4, -5, -6])
  }

  @Test func replacesFramesOfTheirOwnSourceOnly() {
    var machine = Machine()
    _ = machine.backlog.put(picture(1))
    _ = machine.backlog.put(Picture(number: 2, source: Lens()))

    #expect(drain(&machine, after: machine.advance()) == [1, 2])
  }

  @Test func callsAgainOnTheNewQueueAndForgetsTheOld() throws {
    var machine = Machine()
    _ = machine.backlog.put(picture(1))
    let old = try #require(call(machine.advance()))

    let new = machine.redirect()

    #expect(machine.answer(old) == nil)
    #expect(drain(&machine, after: new) == [1])
  }

  @Test func letsABusyConsumerReturnBeforeTheNewOneIsCalled() throws {
    var machine = Machine()
    _ = machine.backlog.put(picture(1))
    let id = try #require(call(machine.advance()))
    _ = machine.answer(id)
    _ = machine.backlog.put(picture(2))

    #expect(machine.redirect() == nil && machine.advance() == nil)
    machine.finished()

    #expect(drain(&machine, after: machine.advance()) == [2])
  }

  @Test func preparesBeforeItCalls() {
    var machine = Machine()
    _ = machine.backlog.put(picture(1, needsWork: true))

    guard case .prepare(let first, let id) = machine.advance() else {
      Issue.record("nothing is prepared")
      return
    }
    #expect(first.number == 1 && machine.advance() == nil)
    _ = machine.backlog.put(picture(2, needsWork: true))

    #expect(drain(&machine, after: machine.prepared(.frame(picture(1)), as: id)) == [1, 2])
  }

  @Test func dropsWhatWasUnderWayWhenNobodyIsLeft() {
    var machine = Machine()
    _ = machine.backlog.put(picture(1, needsWork: true))
    guard case .prepare(_, let id) = machine.advance() else {
      Issue.record("nothing is prepared")
      return
    }
    machine.clear()
    _ = machine.backlog.put(picture(2, needsWork: true))
    let next = machine.redirect()

    #expect(machine.prepared(.frame(picture(1)), as: id) == nil)
    #expect(drain(&machine, after: next) == [2])
  }

  @Test func tellsManyDropsTogether() {
    var backlog = FrameBacklog<Picture>()
    for number in 1...1000 as ClosedRange<Int64> { _ = backlog.put(picture(number)) }

    var drops: [DroppedFrame] = []
    while case .dropped(let drop, _) = backlog.first {
      drops.append(drop)
      _ = backlog.take()
    }

    #expect(drops.count <= FrameBacklog<Picture>.noticeLimit)
    #expect(drops.reduce(0) { $0 + $1.count } == 999)
    #expect(drops.last?.presentationTime?.nanoseconds == 999)
    #expect(backlog.takeFrame()?.number == 1000 && backlog.first == nil)
  }
}
