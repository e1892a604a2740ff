import AVFoundationCompat
import CaptureKitMocks
import Testing

/// The rows of “Differences from AVFoundation”.
extension PortedCodeTests {
  struct DifferencesTests {
    private static func hasAccelerometer() -> Bool {
      (try? AccelerometerDeviceOrientation()) != nil
    }

    // MARK: Errors

    @Test func settingsThatAreUsedAgainFailInTheDelegate() async throws {
      let studio = try await Studio()
      let settings = AVCapturePhotoSettings()
      #expect(await studio.photo(settings).1 == nil)

      let error = try #require(await studio.photo(settings).1)
      #expect((error as? AVError)?.code == .settingsReused)
    }

    @Test func whatASessionRefusesIsTold() async throws {
      let studio = try await Studio()
      let input = studio.session.inputs[0]
      #expect(!studio.session.canAddInput(input))
      studio.session.addInput(input)

      #expect(studio.session.inputs.count == 1)
      #expect(studio.session.lastError?.code == .cannotAddInput)
    }

    @Test func errorsHaveApplesNames() throws {
      do {
        throw CaptureError(.disconnected)
      } catch let error as AVError {
        #expect(error.code == .deviceWasDisconnected)
      }
      #expect(AVError.Code.mediaServicesWereReset == .streamFailed)
      #expect(AVError.Code.deviceInUseByAnotherApplication == .inUse)
      #expect(AVError.Code.applicationIsNotAuthorizedToUseDevice == .notPermitted)
    }

    // MARK: Devices

    @Test func nobodyIsAskedForPermission() async throws {
      let camera = MockCamera()
      let granted = await onMachine(with: [camera]) {
        await withCheckedContinuation { continuation in
          AVCaptureDevice.requestAccess(for: .video) { continuation.resume(returning: $0) }
        }
      }
      #expect(granted)

      camera.script = [.noPermission]
      let status = await onMachine(with: [camera]) {
        AVCaptureDevice.authorizationStatus(for: .video)
      }
      #expect(status == .denied)
    }

    @Test func aWebcamStandsInForAPhonesCameras() async throws {
      let devices = await onMachine(with: [MockCamera()]) {
        AVCaptureDevice.DiscoverySession(
          deviceTypes: [.builtInTripleCamera, .builtInWideAngleCamera], mediaType: .video,
          position: .back
        ).devices
      }
      let telephoto = await onMachine(with: [MockCamera()]) {
        AVCaptureDevice.default(.builtInTelephotoCamera, for: .video, position: .back)
      }
      #expect(devices.count == 1)
      #expect(telephoto == nil)
    }

    @Test func dispatchQueuesSeeTheDefaultEnvironment() async throws {
      let (ofProcess, ofTask) = (MockCamera(name: "process"), MockCamera(name: "task"))
      let environment = CaptureEnvironment(backends: [MockBackend(cameras: [ofTask])])
      let (here, there) = await onMachine(with: [ofProcess]) {
        await environment.run {
          let there = await withCheckedContinuation { continuation in
            DispatchQueue(label: "session queue").async {
              continuation.resume(returning: AVCaptureDevice.devices(for: .video))
            }
          }
          return (AVCaptureDevice.devices(for: .video), there)
        }
      }
      #expect(here.map(\.localizedName) == ["task"])
      #expect(there.map(\.localizedName) == ["process"])
    }

    @Test func pointsOfInterestAreRefused() async throws {
      let device = try await Studio().device
      try device.lockForConfiguration()
      device.focusPointOfInterest = CGPoint(x: 0.2, y: 0.2)

      #expect(!device.isFocusPointOfInterestSupported)
      #expect(!device.isExposurePointOfInterestSupported)
      #expect(device.focusPointOfInterest == CGPoint(x: 0.5, y: 0.5))
      #expect(device.lastError?.code == .unsupportedControl)
      device.unlockForConfiguration()
      device.exposurePointOfInterest = CGPoint(x: 0.2, y: 0.2)
      #expect(device.lastError?.code == .notLocked)
    }

    @Test func noFormatIsActiveUntilOneIsChosen() async throws {
      let device = try await Studio().device
      #expect(device.activeFormat == nil)
      #expect(device.activeVideoMinFrameDuration == .invalid)

      let format = device.formats[0]
      try device.lockForConfiguration()
      device.activeFormat = format
      device.activeVideoMinFrameDuration = format.videoSupportedFrameRateRanges[0].minFrameDuration
      device.unlockForConfiguration()
      #expect(device.activeFormat == format)
      #expect(device.activeVideoMinFrameDuration == CMTime(value: 1, timescale: 30))
    }

    @Test func dimensionsAreWholeNumbersOfTheUsualSize() async throws {
      let format = try await Studio().device.formats[0]
      let size = CMVideoFormatDescriptionGetDimensions(format.formatDescription)
      let width: Int = size.width
      #expect(width == 320 && size.height == 240)
      #expect(
        CMFormatDescriptionGetMediaSubType(format.formatDescription) == kCMVideoCodecType_JPEG)
    }

    // MARK: Photos

    @Test func aFlashIsRefusedOnlyWhereItMustGoOff() async throws {
      let studio = try await Studio()
      #expect(AVCapturePhotoOutput().supportedFlashModes == [.off])
      #expect(!studio.device.hasFlash && !studio.device.isFlashAvailable)
      for (mode, code) in [
        (AVCaptureDevice.FlashMode.off, nil), (.auto, nil), (.on, AVError.Code.unsupportedSettings),
      ] {
        let settings = AVCapturePhotoSettings()
        settings.flashMode = mode
        #expect((await studio.photo(settings).1 as? AVError)?.code == code)
      }
    }

    @Test func aFormatThatNobodyKnowsFailsInTheDelegate() async throws {
      let studio = try await Studio()
      let formats: [[String: Any]] = [
        [AVVideoCodecKey: "av01"], [AVVideoCodecKey: 7], ["AVVideoScalingModeKey": "fit"],
      ]
      for format in formats {
        let (_, error) = await studio.photo(AVCapturePhotoSettings(format: format))
        #expect((error as? AVError)?.code == .unsupportedSettings)
      }
    }

    @Test func rawSamplesComeBesideTheFile() async throws {
      let studio = try await Studio(
        MockCamera(frames: .testPattern(.yuyv, width: 320, height: 240)))
      let format = [
        kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_422YpCbCr8_yuvs
      ]
      let (photo, error) = await studio.photo(AVCapturePhotoSettings(format: format))
      #expect(error == nil)
      let buffer = try #require(photo.pixelBuffer)

      #expect(CVPixelBufferGetPixelFormatType(buffer) == kCVPixelFormatType_422YpCbCr8_yuvs)
      #expect(photo.fileDataRepresentation() != nil)
      #expect(photo.timestamp.isNumeric)
    }

    @Test func qualityIsReadFromTheDictionary() {
      let settings = AVCapturePhotoSettings(format: [
        AVVideoCodecKey: AVVideoCodecType.jpeg,
        AVVideoCompressionPropertiesKey: [AVVideoQualityKey: 0.5],
      ])
      #expect(settings.quality == 0.5)
      #expect(AVCapturePhotoSettings(format: nil).quality == nil)
    }

    @Test func companionsAreAskedForByFormat() async throws {
      let settings = AVCapturePhotoSettings()
      settings.previewPhotoFormat = [
        kCVPixelBufferPixelFormatTypeKey as String:
          settings.availablePreviewPhotoPixelFormatTypes[0],
        kCVPixelBufferWidthKey as String: 64, kCVPixelBufferHeightKey as String: 64,
      ]
      settings.embeddedThumbnailPhotoFormat = [
        AVVideoCodecKey: settings.availableEmbeddedThumbnailPhotoCodecTypes[0],
        AVVideoWidthKey: 80, AVVideoHeightKey: 80,
      ]
      let (photo, error) = await (try Studio()).photo(settings)
      #expect(error == nil)
      let preview = try #require(photo.previewPixelBuffer)

      #expect(CVPixelBufferGetWidth(preview) == 64 && CVPixelBufferGetHeight(preview) == 48)
      #expect(
        CVPixelBufferGetPixelFormatType(preview)
          == settings.availablePreviewPhotoPixelFormatTypes[0])
      #expect(photo.resolvedSettings.embeddedThumbnailDimensions.width == 80)
      #expect(settings.previewPhotoFormat?[kCVPixelBufferWidthKey as String] as? Int == 64)
      settings.previewPhotoFormat = nil
      settings.embeddedThumbnailPhotoFormat = [AVVideoCodecKey: AVVideoCodecType.jpeg]
      #expect(settings.previewDimensions == nil)
      #expect(settings.embeddedThumbnailDimensions == CMVideoDimensions(width: 160, height: 120))
    }

    @Test func olderSpellingsMeanTheNewerOnes() {
      let (output, settings) = (AVCapturePhotoOutput(), AVCapturePhotoSettings())
      output.isHighResolutionCaptureEnabled = true
      settings.isHighResolutionPhotoEnabled = true
      #expect(output.maxPhotoDimensions == settings.maxPhotoDimensions)
      #expect(output.maxPhotoDimensions != nil)
      var isPrepared = false
      output.setPreparedPhotoSettingsArray([settings]) { prepared, error in
        isPrepared = prepared && error == nil
      }
      #expect(isPrepared)
    }

    // MARK: Machine and pictures

    @Test(.enabled("This machine has an accelerometer.") { !hasAccelerometer() })
    func aMachineWithoutASensorIsUpright() {
      let machine = UIDevice()
      #expect(machine.orientation == .portrait)
      #expect(!machine.isGeneratingDeviceOrientationNotifications)
      machine.orientationSource = ManualDeviceOrientation(.landscapeLeft)
      #expect(machine.orientation == .landscapeLeft)
    }

    @Test func picturesAreMeasuredInPixels() async throws {
      let (photo, _) = await (try Studio()).photo(AVCapturePhotoSettings())
      let data = try #require(photo.fileDataRepresentation())
      let image = try #require(UIImage(data: data))

      #expect(image.size == CGSize(width: 320, height: 240) && image.scale == 1)
      #expect(UIImage(data: Data("no picture".utf8)) == nil)
      #expect(UIImage(contentsOfFile: "/nowhere.jpg") == nil)
      let smaller = try #require(image.jpegData(compressionQuality: CGFloat(0.1)))
      #expect(smaller.count < data.count)
      let png = try #require(image.pngData().flatMap(UIImage.init(data:)))
      #expect(png.size == image.size)
    }

    @Test func aLayersFrameHasNoPlace() {
      let layer = AVCaptureVideoPreviewLayer()
      layer.frame = CGRect(x: 20, y: 30, width: 160, height: 120)
      #expect(layer.frame == CGRect(x: 0, y: 0, width: 160, height: 120))
      #expect(layer.bounds == layer.frame)
    }
  }
}
