import CaptureKitLinux
import CaptureKitMocks
import Foundation
import Imaging
import Testing

@testable import Selfies

@Suite(.timeLimit(.minutes(1)))
struct SelfieCaptureControllerTests {
  @Test func takesOnePhotoAndClosesTheCamera() async throws {
    let booth = Booth()
    await booth.controller.start()
    #expect(await booth.isReady(with: "Front"))

    await booth.controller.takePhoto()
    let image = try #require(await booth.outcome())

    #expect(image.size == PixelSize(width: 640, height: 480))
    #expect(await booth.controller.status == .ended)
    await booth.controller.cancel()
    #expect(booth.front.counters.started == 1)
    #expect(await booth.outcomes.count == 1)
  }

  @Test func tellsOfTheShutterBeforeThePhotoIsThere() async throws {
    let booth = Booth()
    await booth.controller.start()
    #expect(await booth.isReady(with: "Front"))

    await booth.controller.takePhoto()
    #expect(await booth.event { $0 == .shutter } != nil)
    #expect(await booth.event { $0 == .status(.ended) } != nil)
  }

  @Test func endsWithNilWhereItIsCancelledAndOnlyOnce() async {
    let booth = Booth()
    await booth.controller.start()
    #expect(await booth.isReady(with: "Front"))

    await booth.controller.cancel()
    await booth.controller.cancel()
    await booth.controller.takePhoto()
    await booth.controller.start()

    #expect(await booth.outcome() == nil)
    #expect(await booth.outcomes.count == 1)
    #expect(booth.front.counters.opened == booth.front.counters.closed)
  }

  @Test func closesTheCameraWhereItIsCancelledBeforeItRuns() async {
    let booth = Booth()
    async let started: Void = booth.controller.start()
    await booth.controller.cancel()
    await started
    await booth.controller.start()

    #expect(await booth.outcome() == nil)
    #expect(booth.front.counters.opened == booth.front.counters.closed)
  }

  @Test func beginsWithTheFrontCameraAndGoesRound() async {
    let booth = Booth()
    await booth.controller.start()
    #expect(await booth.isReady(with: "Front"))
    await booth.controller.switchCamera()
    #expect(await booth.isReady(with: "Back"))
    await booth.controller.switchCamera()
    #expect(await booth.isReady(with: "Front"))
    #expect(booth.back.counters.started == booth.back.counters.stopped)
  }

  @Test func saysThatThereIsNoCameraAndBeginsWhenOneIsPluggedIn() async {
    let booth = Booth { front, back in
      front.unplug()
      back.unplug()
    }
    await booth.controller.start()
    #expect(await booth.complaint()?.contains("plug one in") == true)
    booth.front.replug()
    #expect(await booth.isReady(with: "Front"))
  }

  @Test func saysThatTheCameraWasUnpluggedAndGoesOnWhenItIsBack() async {
    let booth = Booth()
    await booth.controller.start()
    #expect(await booth.isReady(with: "Front"))
    booth.front.unplug()
    #expect(await booth.complaint()?.contains("Front was unplugged") == true)
    booth.front.replug()
    #expect(await booth.isReady(with: "Front"))
  }

  @Test func choosesAnotherCameraWhileOneIsUnplugged() async {
    let booth = Booth()
    await booth.controller.start()
    #expect(await booth.isReady(with: "Front"))
    booth.front.unplug()
    #expect(await booth.complaint() != nil)
    await booth.controller.switchCamera()
    #expect(await booth.isReady(with: "Back"))
  }

  @Test(arguments: [MockEvent.busy, .noPermission])
  func saysWhyTheCameraCannotBeHadAndBeginsWhenItCan(_ event: MockEvent) async {
    let booth = Booth { front, back in
      back.unplug()
      front.script = [event]
    }
    await booth.controller.start()
    #expect(await booth.complaint()?.isEmpty == false)
    booth.front.script = []
    #expect(await booth.isReady(with: "Front"))
  }

  @Test func turnsThePhotoAndThePreviewAsTheDeviceIsHeld() async throws {
    let booth = Booth()
    await booth.controller.start()
    #expect(await booth.isReady(with: "Front"))
    booth.orientation.orientation = .landscapeLeft
    #expect(booth.controller.previewLayer.connection?.videoRotationAngle == 90)

    await booth.controller.takePhoto()
    let image = try #require(await booth.outcome())
    #expect(image.orientation == .right)
    #expect(image.size == PixelSize(width: 480, height: 640))
  }

  @Test func takesNoPhotoWhileThereIsNoPreview() async {
    let booth = Booth { front, back in
      front.unplug()
      back.unplug()
    }
    await booth.controller.start()
    #expect(await booth.complaint() != nil)
    await booth.controller.takePhoto()
    guard case .unavailable = await booth.controller.status else {
      Issue.record("The sentence is gone.")
      return
    }
  }
}
