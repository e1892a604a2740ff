import AVFoundationCompat
import CaptureKitMocks
import Testing

/// The rows of “Differences from AVFoundation” about frames and their buffers.
extension PortedCodeTests {
  struct VideoFramesDifferencesTests {
    private let pattern = TestPattern(width: 320, height: 240)

    @Test func framesAreVideoRangeLumaAndChromaUntilSet() async throws {
      let studio = try await Studio()
      let output = AVCaptureVideoDataOutput()
      let format = output.videoSettings[kCVPixelBufferPixelFormatTypeKey as String] as? OSType
      #expect(format == kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)

      let buffer = try await studio.sampleBuffers(of: output)[0]
      let pixels = try #require(CMSampleBufferGetImageBuffer(buffer))
      #expect(CVPixelBufferGetPixelFormatType(pixels) == format)
      #expect(CVPixelBufferGetPlaneCount(pixels) == 2 && CVPixelBufferIsPlanar(pixels))
      #expect(buffer.formatDescription?.mediaSubType == format)
      #expect(buffer.imageBuffer === pixels)
    }

    @Test func bgraIsReadRowByRow() async throws {
      let buffer = try await Studio().pixelBuffer()
      CVPixelBufferLockBaseAddress(buffer, .readOnly)
      defer { CVPixelBufferUnlockBaseAddress(buffer, .readOnly) }
      let base = try #require(CVPixelBufferGetBaseAddress(buffer))

      #expect(CVPixelBufferGetWidth(buffer) == 320 && CVPixelBufferGetHeight(buffer) == 240)
      for bar in 0..<TestPattern.barCount {
        let (x, y) = pattern.center(ofBar: bar)
        let pixel = (base + y * CVPixelBufferGetBytesPerRow(buffer) + 4 * x)
          .assumingMemoryBound(to: UInt8.self)
        let color = RGBColor(red: pixel[2], green: pixel[1], blue: pixel[0])
        #expect(color.isNear(TestPattern.color(ofBar: bar)))
      }
    }

    @Test func framesAreTurnedByTheirConnection() async throws {
      let studio = try await Studio()
      let output = AVCaptureVideoDataOutput()
      studio.session.addOutput(output)
      let connection = try #require(output.connection(with: .video))
      #expect(connection.output === output && output.connection(with: .audio) == nil)
      connection.videoOrientation = .landscapeRight
      let collector = Collector()
      output.setSampleBufferDelegate(collector, queue: DispatchQueue(label: "frames"))
      studio.session.startRunning()
      try await wait { !collector.buffers.isEmpty }
      studio.session.stopRunning()

      let pixels = try #require(collector.buffers[0].imageBuffer).pixels
      #expect(pixels.width == 240 && pixels.height == 320)
      let (x, y) = pattern.center(ofBar: 0)
      #expect(try pixels.color(x: 239 - y, y: x).isNear(TestPattern.color(ofBar: 0)))
    }

    @Test func emptySettingsBringTheCamerasOwnBytes() async throws {
      let output = AVCaptureVideoDataOutput()
      output.videoSettings = [:]
      let buffer = try await Studio().sampleBuffers(of: output)[0]

      #expect(CMSampleBufferGetImageBuffer(buffer) == nil)
      #expect(buffer.formatDescription?.mediaSubType == kCMVideoCodecType_JPEG)
      #expect(buffer.frame?.pixelFormat.isJPEG == true)
    }

    @Test func otherSettingsAreRefusedAndChangeNothing() {
      let output = AVCaptureVideoDataOutput()
      let key = kCVPixelBufferPixelFormatTypeKey as String
      output.videoSettings = [key: kCVPixelFormatType_32BGRA]
      let refused: [[String: Any]] = [
        [key: OSType(0x20)], [key: "BGRA"], ["Width": 320, key: kCVPixelFormatType_32BGRA],
      ]
      for settings in refused {
        output.videoSettings = settings
        #expect(output.lastError?.code == .unsupportedFormat)
        #expect(output.videoSettings[key] as? OSType == kCVPixelFormatType_32BGRA)
      }
      output.videoSettings = [key: NSNumber(value: kCVPixelFormatType_420YpCbCr8Planar)]
      #expect(output.videoSettings[key] as? OSType == kCVPixelFormatType_420YpCbCr8Planar)
      output.videoSettings = nil
      #expect(
        output.videoSettings[key] as? OSType == kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
    }

    @Test func everyFormatThatIsOfferedIsDelivered() async throws {
      let studio = try await Studio()
      let types = AVCaptureVideoDataOutput().availableVideoPixelFormatTypes
      #expect(types.count == 10)
      for type in types {
        let output = AVCaptureVideoDataOutput()
        output.videoSettings = [kCVPixelBufferPixelFormatTypeKey as String: Int(type)]
        let buffer = try #require(try await studio.sampleBuffers(of: output)[0].imageBuffer)
        #expect(CVPixelBufferGetPixelFormatType(buffer) == type)
        let (x, y) = pattern.center(ofBar: 0)
        #expect(try buffer.pixels.color(x: x, y: y).isNear(TestPattern.color(ofBar: 0)))
      }
    }

    @Test(arguments: [true, false])
    func anyQueueWillDo(isConcurrent: Bool) async throws {
      let queue = isConcurrent ? DispatchQueue(label: "frames", attributes: .concurrent) : nil
      let times = try await Studio().sampleBuffers(count: 3, on: queue)
        .map { CMSampleBufferGetPresentationTimeStamp($0) }
      #expect(times == times.sorted())
    }

    @Test func droppedFramesSayOneOfThreeReasons() async throws {
      let camera = MockCamera(frames: .testPattern(.yuyv, width: 64, height: 48))
      camera.script = [.errorFlag(at: 1)]
      let studio = try await Studio(camera)
      let (output, collector) = (AVCaptureVideoDataOutput(), Collector())
      output.setSampleBufferDelegate(collector, queue: DispatchQueue(label: "frames"))
      studio.session.addOutput(output)
      studio.session.startRunning()
      try await wait { !collector.drops.isEmpty }
      studio.session.stopRunning()

      let drop = collector.drops[0]
      let reason = CMGetAttachment(
        drop, key: kCMSampleBufferAttachmentKey_DroppedFrameReason, attachmentModeOut: nil)
      #expect(reason == kCMSampleBufferDroppedFrameReason_Discontinuity)
      #expect(drop.droppedFrame?.reason == .corrupt)
      #expect(drop.imageBuffer == nil && CMSampleBufferGetNumSamples(drop) == 0)
    }

    @Test func aDelegateIsReplacedAndNotKept() async throws {
      let output = AVCaptureVideoDataOutput()
      var first: Collector? = Collector()
      output.setSampleBufferDelegate(first, queue: nil)
      #expect(output.sampleBufferDelegate === first)
      first = nil
      #expect(output.sampleBufferDelegate == nil)
      output.setSampleBufferDelegate(nil, queue: nil)

      #expect(try await Studio().sampleBuffers(of: output).count >= 1)
      #expect(output.connections.isEmpty)
    }

    @Test func addressesAreGivenOutOnlyWhileLocked() async throws {
      let buffer = try await Studio().pixelBuffer()
      #expect(CVPixelBufferGetBaseAddress(buffer) == nil)
      #expect(CVPixelBufferLockBaseAddress(buffer, .readOnly) == kCVReturnSuccess)
      #expect(CVPixelBufferLockBaseAddress(buffer, .readOnly) == kCVReturnSuccess)
      #expect(CVPixelBufferUnlockBaseAddress(buffer, .readOnly) == kCVReturnSuccess)
      #expect(CVPixelBufferGetBaseAddress(buffer) != nil)
      #expect(CVPixelBufferUnlockBaseAddress(buffer, .readOnly) == kCVReturnSuccess)

      #expect(CVPixelBufferGetBaseAddress(buffer) == nil)
      #expect(CVPixelBufferUnlockBaseAddress(buffer, .readOnly) == kCVReturnInvalidArgument)
    }

    @Test func aLockForWritingMakesTheBytesTheBuffersOwn() async throws {
      let pixels = try await Studio().pixelBuffer().pixels
      let (mine, others) = (CVPixelBuffer(pixels), CVPixelBuffer(pixels))
      let address = { (buffer: CVPixelBuffer) -> UnsafeMutableRawPointer? in
        CVPixelBufferLockBaseAddress(buffer, .readOnly)
        defer { CVPixelBufferUnlockBaseAddress(buffer, .readOnly) }
        return CVPixelBufferGetBaseAddress(buffer)
      }
      #expect(address(mine) == address(others))

      CVPixelBufferLockBaseAddress(mine, [])
      let base = try #require(CVPixelBufferGetBaseAddress(mine))
      let (x, y) = pattern.center(ofBar: 7)
      let offset = y * CVPixelBufferGetBytesPerRow(mine) + 4 * x
      (base + offset).storeBytes(of: 0xFFFF_FFFF, as: UInt32.self)
      CVPixelBufferUnlockBaseAddress(mine, [])

      #expect(address(mine) != address(others))
      #expect(try mine.pixels.color(x: x, y: y) == RGBColor(red: 255, green: 255, blue: 255))
      #expect(try mine.pixels.color(x: 8, y: 8) == pixels.color(x: 8, y: 8))
      #expect(try others.pixels.color(x: x, y: y).isNear(TestPattern.color(ofBar: 7)))
    }

    @Test func planesAreAsCoreVideoNumbersThem() async throws {
      let planar = try #require(try await Studio().sampleBuffers()[0].imageBuffer)
      let packed = try await Studio().pixelBuffer()
      for buffer in [planar, packed] { CVPixelBufferLockBaseAddress(buffer, .readOnly) }
      defer {
        for buffer in [planar, packed] { CVPixelBufferUnlockBaseAddress(buffer, .readOnly) }
      }

      #expect(CVPixelBufferGetBaseAddress(planar) == CVPixelBufferGetBaseAddressOfPlane(planar, 0))
      #expect(CVPixelBufferGetWidthOfPlane(planar, 1) == 160)
      #expect(CVPixelBufferGetHeightOfPlane(planar, 1) == 120)
      #expect(CVPixelBufferGetBytesPerRowOfPlane(planar, 1) >= 320)
      #expect(CVPixelBufferGetBaseAddressOfPlane(planar, 2) == nil)
      #expect(CVPixelBufferGetHeightOfPlane(planar, -1) == 0)
      #expect(CVPixelBufferGetPlaneCount(packed) == 0)
      #expect(CVPixelBufferGetBaseAddressOfPlane(packed, 0) == nil)
      #expect(CVPixelBufferGetDataSize(packed) >= 320 * 240 * 4)
    }

    @Test func tinyPicturesHaveAddressesToo() throws {
      let layout = try #require(PixelLayout(format: .grey, width: 2, height: 2))
      let pixels = try #require(PixelBuffer(layout: layout, bytes: [1, 2, 3, 4]))
      let buffer = CVPixelBuffer(pixels)
      CVPixelBufferLockBaseAddress(buffer, .readOnly)
      defer { CVPixelBufferUnlockBaseAddress(buffer, .readOnly) }
      let base = try #require(CVPixelBufferGetBaseAddress(buffer))
      #expect(Array(UnsafeRawBufferPointer(start: base, count: 4)) == [1, 2, 3, 4])
      #expect(CVImageBufferGetDisplaySize(buffer) == CGSize(width: 2, height: 2))
    }
  }
}
