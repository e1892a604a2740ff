import CaptureKitMocks
import Dispatch
import Foundation
import Imaging
import Synchronization
import Testing

@testable import CaptureKitLinux

/// What frames are delivered as.
@Suite(.timeLimit(.minutes(1)))
struct VideoSettingsTests {
  /// One frame as an output's loop delivers it.
  private func delivered(_ frame: CapturedFrame, by bench: VideoBench) async -> CapturedFrame? {
    let loop = bench.video.frames.makeAsyncIterator()
    bench.send(frame)
    return await loop.next()
  }

  @Test func leavesTheCamerasBytesWhereTheyAre() async throws {
    let bench = try await VideoBench()
    for frame in [try FramePixelsTests.raw(), try FramePixelsTests.jpeg()] {
      let received = try #require(await delivered(frame, by: bench))
      #expect(received.pixelFormat == frame.pixelFormat)
      #expect(received.address == frame.address)
    }
  }

  @Test(arguments: CaptureVideoDataOutput().availableVideoPixelFormatTypes)
  func convertsAndKeepsWhatBelongsToTheFrame(_ format: PixelFormat) async throws {
    let bench = try await VideoBench()
    bench.video.videoSettings = .pixelFormat(format)
    for original in [try FramePixelsTests.raw(5), try FramePixelsTests.jpeg(5)] {
      var frame = original
      frame.settings = FrameSettings(exposureDuration: .milliseconds(10), gain: 2)

      let received = try #require(await delivered(frame, by: bench))

      #expect(received.pixelFormat == format && received.dimensions == frame.dimensions)
      #expect(received.sequence == 5 && received.timestamp == frame.timestamp)
      #expect(received.settings == frame.settings)
      let pixels = try #require(received.pixelBuffer)
      #expect(pixels.format == format && pixels.address == received.address)
      // The original converts to the same memory.
      #expect(try frame.pixels(as: format).address == received.address)
    }
  }

  @Test func convertsOnceForAllConsumersOfAllOutputs() async throws {
    let one = try await VideoBench()
    let other = try await VideoBench()
    let frame = try FramePixelsTests.jpeg()
    for bench in [one, other] { bench.video.videoSettings = .pixelFormat(.bgra) }
    let (addresses, continuation) = AsyncStream<UInt>.makeStream()
    one.video.setFrameHandler { continuation.yield($0.address) }
    let loop = other.video.frames.makeAsyncIterator()

    one.send(frame)
    other.send(frame)

    let third = try frame.pixels(as: .bgra).address
    var iterator = addresses.makeAsyncIterator()
    #expect(await iterator.next() == third)
    #expect(await loop.next()?.address == third)
  }

  @Test func dropsWhatCannotBeDecodedAndSaysSo() async throws {
    let bench = try await VideoBench()
    let recorder = VideoRecorder()
    bench.video.videoSettings = .pixelFormat(.bgra)
    bench.video.setSampleBufferDelegate(recorder, queue: nil)

    bench.send(try FramePixelsTests.jpeg(0, isWhole: false))
    _ = await recorder.events(1)
    bench.send(try FramePixelsTests.jpeg(1))

    #expect(await recorder.events(2) == [.drop(.corrupt), .frame(1)])
    #expect(bench.video.droppedFrameCounts == [.corrupt: 1])
  }

  @Test func deliversNoMoreWhileTooManyConvertedFramesAreKept() async throws {
    let bench = try await VideoBench()
    let recorder = VideoRecorder(keepsFrames: true)
    bench.video.videoSettings = .pixelFormat(.bgra)
    bench.video.setSampleBufferDelegate(recorder, queue: nil)
    for number in 0...9 as ClosedRange<UInt64> {
      try bench.send(number...number)
      _ = await recorder.events(Int(number) + 1)
    }
    #expect(
      recorder.events == (0...7).map { .frame($0) } + [.drop(.outOfBuffers), .drop(.outOfBuffers)])

    let pictures = recorder.takeFrames().compactMap(\.pixelBuffer)
    try bench.send(10...10)
    #expect(await recorder.events(11).last == .drop(.outOfBuffers))
    #expect(pictures.count == 8)
    withExtendedLifetime(pictures) {}
  }

  @Test func tellsTheSessionOfConvertedFramesThatAreKept() async throws {
    let studio = try await Studio()
    let (video, recorder) = (CaptureVideoDataOutput(), VideoRecorder(keepsFrames: true))
    video.videoSettings = .pixelFormat(.bgra)
    video.setSampleBufferDelegate(recorder, queue: nil)
    try studio.session.add(video)
    try await studio.session.start()

    while !(await recorder.events(recorder.events.count + 1)).contains(.drop(.outOfBuffers)) {}
    await studio.session.stop()

    let missed = recorder.events.count { $0 == .drop(.outOfBuffers) || $0 == .drop(.late) }
    #expect(missed > 0 && studio.session.statistics.late >= UInt64(missed))
  }

  @Test func deliversAgainWhenKeptFramesAreLetGo() async throws {
    let bench = try await VideoBench()
    let recorder = VideoRecorder(keepsFrames: true)
    bench.video.videoSettings = .pixelFormat(.nv12)
    bench.video.setSampleBufferDelegate(recorder, queue: nil)
    for number in 0...8 as ClosedRange<UInt64> {
      try bench.send(number...number)
      _ = await recorder.events(Int(number) + 1)
    }
    #expect(recorder.events.last == .drop(.outOfBuffers))

    _ = recorder.takeFrames()
    try bench.send(9...9)

    #expect(await recorder.events(10).last == .frame(9))
  }

  @Test(arguments: CaptureVideoDataOutput().availableVideoPixelFormatTypes)
  func turnsFramesOnlyWhereTheConnectionWasSet(_ format: PixelFormat) async throws {
    let bench = try await VideoBench(mountingAngle: 90)
    bench.video.videoSettings = .pixelFormat(format)
    let frame = try FramePixelsTests.raw()
    #expect(await delivered(frame, by: bench)?.width == 64)

    bench.connection.videoOrientation = .portrait
    #expect(await delivered(frame, by: bench)?.width == 32)

    bench.video.videoSettings = .native
    #expect(await delivered(frame, by: bench)?.width == 64)
  }

  @Test func mirrorsWithoutTurning() async throws {
    let bench = try await VideoBench(mountingAngle: 90)
    bench.video.videoSettings = .pixelFormat(.bgra)
    let layout = try #require(PixelLayout(format: .grey, width: 2, height: 1))
    let frame = CapturedFrame(
      bytes: [0, 255], layout: layout, sequence: 0, timestamp: FrameTimestamp(.now, .pickup))

    bench.connection.isVideoMirrored = true

    let received = try #require(await delivered(frame, by: bench))
    #expect(received.bytes.unsafeLoad(fromByteOffset: 0, as: UInt8.self) == 255)
    #expect(received.bytes.unsafeLoad(fromByteOffset: 4, as: UInt8.self) == 0)
  }

  /// Dark on the left, light on the right, whatever the format and however it is turned.
  @Test(arguments: CaptureVideoDataOutput().availableVideoPixelFormatTypes, [false, true])
  func showsTheSameInEachFormat(_ format: PixelFormat, isMirrored: Bool) async throws {
    let bench = try await VideoBench()
    bench.video.videoSettings = .pixelFormat(format)
    bench.connection.isVideoMirrored = isMirrored
    bench.connection.videoOrientation = .portraitUpsideDown
    let layout = try #require(PixelLayout(format: .grey, width: 8, height: 4))
    let frame = CapturedFrame(
      bytes: (0..<32).map { $0 % 8 < 4 ? 40 : 200 }, layout: layout, sequence: 0,
      timestamp: FrameTimestamp(.now, .pickup))

    let received = try #require(await delivered(frame, by: bench)?.pixelBuffer)

    let grey = try received.converted(to: .grey, color: .jpeg).bytes(ofPlane: 0)
    let ends = [0, 7].map { grey.unsafeLoad(fromByteOffset: $0, as: UInt8.self) }
    let expected: [UInt8] = isMirrored ? [40, 200] : [200, 40]
    #expect(zip(ends, expected).allSatisfy { abs(Int($0) - Int($1)) <= 2 })
  }

  @Test(arguments: [PixelFormat.nv12, .yuv420, .yuyv, .uyvy, .grey])
  func deliversTheRangeThatIsAskedFor(_ format: PixelFormat) async throws {
    let bench = try await VideoBench()
    for frame in [try FramePixelsTests.raw(filledWith: 128), try FramePixelsTests.jpeg()] {
      let luma: [UInt8] = [128, 130]
      for (range, expected) in zip([ColorDescription.Range.limited, .full], luma) {
        bench.video.videoSettings = .pixelFormat(format, range: range)
        let received = try #require(await delivered(frame, by: bench))
        #expect(received.color.range == range)
        let offset = format == .uyvy ? 1 : 0
        let first = received.bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
        #expect(abs(Int(first) - Int(expected)) <= 1)
      }
    }
  }

  @Test func keepsTheRangeWhereNobodyAsksForOne() async throws {
    let bench = try await VideoBench()
    let layout = try #require(PixelLayout(format: .yuyv, width: 4, height: 2))
    bench.video.videoSettings = .pixelFormat(.nv12)
    for range in [ColorDescription.Range.limited, .full] {
      let frame = CapturedFrame(
        bytes: [UInt8](repeating: 100, count: 16), layout: layout,
        color: ColorDescription(matrix: .bt709, range: range), sequence: 0,
        timestamp: FrameTimestamp(.now, .pickup))
      let received = try #require(await delivered(frame, by: bench))
      #expect(received.color == frame.color)
      #expect(received.bytes.unsafeLoad(as: UInt8.self) == 100)
    }
  }

  @Test func convertsNothingThatHasTheRangeAlready() async throws {
    let bench = try await VideoBench()
    let frame = try FramePixelsTests.raw()
    bench.video.videoSettings = .pixelFormat(.yuyv, range: .limited)
    #expect(await delivered(frame, by: bench)?.address == frame.address)
    bench.video.videoSettings = .pixelFormat(.yuyv, range: .full)
    #expect(await delivered(frame, by: bench)?.address != frame.address)

    bench.video.videoSettings = .pixelFormat(.nv12, range: .limited)
    let address = await delivered(frame, by: bench)?.address
    #expect(try frame.pixels(as: .nv12).address == address)
  }

  @Test func refusesOtherFormats() {
    let video = CaptureVideoDataOutput()

    video.videoSettings = .pixelFormat(.mjpeg)

    #expect(video.lastError?.code == .unsupportedFormat && video.videoSettings == .native)
    #expect(video.lastError?.description.contains("MJPG") == true)
    #expect(throws: CaptureError.self) {
      try video.setVideoSettings(.pixelFormat(.nv12Multiplanar))
    }
    #expect(throws: CaptureError.self) {
      try video.setVideoSettings(.pixelFormat(.bgra, range: .limited))
    }
    #expect(throws: Never.self) { try video.setVideoSettings(.pixelFormat(.bgra, range: .full)) }
  }

  @Test func listsTheCamerasOwnFormatFirst() async throws {
    let usual: [PixelFormat] = [.bgra, .nv12, .yuv420, .yuyv, .uyvy, .rgb24, .bgr24, .grey]
    let studio = try await Studio(
      MockCamera(frames: .testPattern(.nv12, width: 160, height: 120)))
    let video = CaptureVideoDataOutput()
    #expect(video.availableVideoPixelFormatTypes == usual)
    try studio.session.add(video)
    try await studio.session.start()

    #expect(video.availableVideoPixelFormatTypes == [.nv12] + usual.filter { $0 != .nv12 })

    await studio.session.stop()
    #expect(video.availableVideoPixelFormatTypes == usual)
  }
}

extension CapturedFrame {
  /// Where the first byte lies.
  var address: UInt { bytes.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) } }
}
