import AVFoundationCompat
import CaptureKitMocks
import Testing

extension PortedCodeTests {
  struct CaptureViewControllerTests {
    private let camera = MockCamera(
      position: .front, frames: .testPattern(.mjpeg, width: 320, height: 240))

    private func selfie(
      _ cameras: [MockCamera], held orientation: UIDeviceOrientation = .portrait,
      _ meddle: @escaping (CaptureViewController) -> Void = { _ in }
    ) async -> UIImage? {
      await onMachine(with: cameras, held: orientation) {
        let controller = CaptureViewController()
        return await withCheckedContinuation { continuation in
          controller.completion = { image in
            controller.completion = nil
            continuation.resume(returning: image)
          }
          controller.viewDidLoad()
          controller.viewWillLayoutSubviews()
          meddle(controller)
          if controller.completion != nil { controller.takeSelfie(self) }
        }
      }
    }

    @Test(arguments: [
      (UIDeviceOrientation.portrait, UIImage.Orientation.up),
      (.landscapeLeft, .right), (.portraitUpsideDown, .down), (.landscapeRight, .left),
      (.faceUp, .up),
    ])
    func takesAPhotoThatIsUprightHoweverTheDeviceIsHeld(
      held: UIDeviceOrientation, shown: UIImage.Orientation
    ) async throws {
      let image = try #require(await selfie([camera], held: held))

      #expect(image.imageOrientation == shown)
      let isOnItsSide = held.isLandscape
      #expect(
        image.size
          == (isOnItsSide ? CGSize(width: 240, height: 320) : CGSize(width: 320, height: 240)))
      // The leftmost bar is white and the rightmost one black, as the camera stores them.
      let pixels = try image.orientedPixelBuffer()
      let (left, right) = (
        TestPattern(width: 320, height: 240).center(ofBar: 0),
        TestPattern(width: 320, height: 240).center(ofBar: 7)
      )
      for (place, bar) in [(left, 0), (right, 7)] {
        let (x, y) =
          switch shown {
          case .right: (239 - place.y, place.x)
          case .down: (319 - place.x, 239 - place.y)
          case .left: (place.y, 319 - place.x)
          default: (place.x, place.y)
          }
        #expect(try pixels.color(x: x, y: y).isNear(TestPattern.color(ofBar: bar)))
      }
    }

    @Test func stopsTheSessionAndLetsGoOfTheCamera() async throws {
      let image = await selfie([camera])

      #expect(image != nil)
      try await wait { camera.counters.closed == 1 }
      #expect(camera.counters.opened == 1)
    }

    @Test func turnsItsPreview() async throws {
      _ = try #require(
        await selfie([camera], held: .landscapeLeft) { controller in
          let layer = controller.cameraPreview.previewLayer
          #expect(layer?.connection?.videoOrientation == .landscapeRight)
          #expect(layer?.frame == CGRect(x: 0, y: 0, width: 320, height: 320))
          #expect(layer?.videoGravity == .resizeAspectFill)
        })
    }

    @Test func completesWithNilWhereThereIsNoCamera() async {
      #expect(await selfie([]) == nil)
    }

    @Test func completesWithNilWhereTheCameraIsUnplugged() async {
      let image = await selfie([camera]) { _ in camera.unplug() }

      #expect(image == nil)
    }

    @Test func completesWithNilWhereAnotherProgramHasTheCamera() async {
      camera.script = [.busy]

      #expect(await selfie([camera]) == nil)
    }
  }
}
