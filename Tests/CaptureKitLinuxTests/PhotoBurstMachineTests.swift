import Testing

@testable import CaptureKitLinux

/// Requests for several photos, and those that need the camera brought somewhere first.
@Suite(.timeLimit(.minutes(1)))
struct PhotoBurstMachineTests {
  typealias Machine = PhotoRequestMachine

  static func at(_ milliseconds: Int64) -> HostTime { PhotoRequestMachineTests.at(milliseconds) }

  static func frame(_ milliseconds: Int64, hasSettled: Bool = false) -> Machine.FrameFacts {
    var facts = PhotoRequestMachineTests.frame(milliseconds, .startOfExposure)
    facts.hasSettled = hasSettled
    return facts
  }

  static func waiting(
    _ count: Int, preparation: Machine.Preparation = .none, settledAt: Int64 = 0
  ) -> Machine {
    var machine = Machine(
      requestedAt: at(1000), notBefore: at(settledAt), count: count, preparation: preparation)
    _ = machine.begin()
    return machine
  }

  @Test func takesConsecutiveFramesWhileTheFirstPicturesAreMade() {
    var machine = Self.waiting(3)

    #expect(machine.receive(Self.frame(1001)) == [.announceWillCapture, .makePicture])
    #expect(machine.receive(Self.frame(1034)) == [.makePicture])
    #expect(machine.receive(Self.frame(1067)) == [.announceDidCapture, .makePicture])
    #expect(machine.receive(Self.frame(1100)) == [])
    #expect(machine.pictureIsMade() == [.deliver(photo: 1)])
    #expect(machine.pictureIsMade() == [.deliver(photo: 2)])
    #expect(machine.pictureIsMade() == [.deliver(photo: 3), .finish])
  }

  @Test func makesUpForADamagedFrameOfABurst() {
    var machine = Self.waiting(2)
    _ = machine.receive(Self.frame(1001))
    _ = machine.receive(Self.frame(1034))

    #expect(machine.pictureFailed(.corruptFrame) == [])
    #expect(machine.receive(Self.frame(1067)) == [.makePicture])
    #expect(machine.pictureIsMade() == [.deliver(photo: 1)])
    #expect(machine.pictureIsMade() == [.deliver(photo: 2), .finish])
  }

  @Test func takesNothingThatShowsTheCameraInAnothersHands() {
    var machine = Self.waiting(1)

    machine.cameraIsRestored(at: Self.at(1200), settledBy: Self.at(1500))

    #expect(machine.receive(Self.frame(1199, hasSettled: true)) == [])
    #expect(machine.receive(Self.frame(1300)) == [])
    #expect(machine.receive(Self.frame(1300, hasSettled: true)).contains(.makePicture))
  }

  @Test func saysOfEachPhotoThatIsMissingWhyItIs() {
    var machine = Self.waiting(3)
    _ = machine.receive(Self.frame(1001))

    #expect(machine.end(.disconnected) == [])
    #expect(
      machine.pictureIsMade() == [
        .deliver(photo: 1), .announceDidCapture, .fail(.disconnected, photo: 2),
        .fail(.disconnected, photo: 3), .finish,
      ])
  }

  @Test func takesASettledFrameBeforeTheBound() {
    var machine = Self.waiting(1, settledAt: 2500)

    #expect(machine.receive(Self.frame(1100)) == [])
    #expect(machine.receive(Self.frame(1133, hasSettled: true)).last == .makePicture)
  }

  @Test func waitsUntilTheCameraIsPrepared() {
    var machine = Self.waiting(2, preparation: .once)
    #expect(machine.start() == [.prepare(photo: 1)])
    #expect(!machine.isWaiting && machine.needsFrames)
    #expect(machine.receive(Self.frame(1100)) == [])

    machine.prepared(at: Self.at(1200), settledBy: Self.at(1200))

    #expect(machine.receive(Self.frame(1150)) == [])
    #expect(machine.receive(Self.frame(1250)) == [.announceWillCapture, .makePicture])
    #expect(machine.receive(Self.frame(1283)) == [.announceDidCapture, .makePicture])
  }

  @Test func preparesAnewForEachPhotoOfABracket() {
    var machine = Self.waiting(2, preparation: .forEachPhoto)
    _ = machine.start()
    machine.prepared(at: Self.at(1100), settledBy: Self.at(1100))
    #expect(machine.receive(Self.frame(1150)) == [.announceWillCapture, .makePicture])
    #expect(machine.receive(Self.frame(1183)) == [])

    #expect(machine.pictureIsMade() == [.deliver(photo: 1), .prepare(photo: 2)])
    #expect(machine.receive(Self.frame(1216)) == [])
    machine.prepared(at: Self.at(1300), settledBy: Self.at(1300))
    #expect(machine.receive(Self.frame(1350)) == [.announceDidCapture, .makePicture])
    #expect(machine.pictureIsMade() == [.deliver(photo: 2), .finish])
  }

  @Test func takesADamagedPhotoOfABracketAgainWithTheSameControls() {
    var machine = Self.waiting(2, preparation: .forEachPhoto)
    _ = machine.start()
    machine.prepared(at: Self.at(1100), settledBy: Self.at(1100))
    _ = machine.receive(Self.frame(1150))

    #expect(machine.pictureFailed(.corruptFrame) == [])
    #expect(machine.receive(Self.frame(1183)) == [.makePicture])
    #expect(machine.pictureIsMade() == [.deliver(photo: 1), .prepare(photo: 2)])
  }

  @Test func endsWhileTheCameraIsPrepared() {
    var machine = Self.waiting(2, preparation: .once)
    _ = machine.start()

    #expect(
      machine.end(.timedOut) == [
        .fail(.timedOut, photo: 1), .fail(.timedOut, photo: 2), .finish,
      ])
    machine.prepared(at: Self.at(1200), settledBy: Self.at(1200))
    #expect(machine.receive(Self.frame(1250)) == [])
  }

  @Test func takesAnEarlierFrameAtOnce() {
    var machine = Self.waiting(1, settledAt: 2500)

    #expect(
      machine.receiveEarlier() == [.announceWillCapture, .announceDidCapture, .makePicture])
    #expect(machine.pictureFailed(.corruptFrame) == [])
    #expect(machine.receiveEarlier() == [.makePicture])
    #expect(machine.pictureIsMade() == [.deliver(photo: 1), .finish])
  }
}
