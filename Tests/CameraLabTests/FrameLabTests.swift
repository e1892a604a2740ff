import CaptureKitLinux
import Imaging
import Synchronization
import Testing

/// Frames of vivid's test pattern as programs get them.
@Suite(.inLab(.single, .multiplanar), .timeLimit(.minutes(1)))
struct FrameLabTests {
  @Test(arguments: VividPhotoTests.formats, [PixelFormat.bgra, .nv12])
  func showTheStandardsColours(format: PixelFormat, wanted: PixelFormat) async throws {
    let studio = try LabStudio(format, LabStudio.wideSize)

    let frame = try #require(try await studio.frames(1, as: .pixelFormat(wanted)).first)

    #expect(frame.pixelFormat == wanted && frame.dimensions == LabStudio.wideSize)
    let pixels = try #require(frame.pixelBuffer).converted(to: .bgra)
    let bars = format == .grey ? VividPhotoTests.greyBars : VividPhotoTests.bars
    for (index, bar) in bars.enumerated() {
      let colour = Colour(of: pixels, x: index * 80 + 40, y: 340)
      #expect(colour.distance(to: bar) <= 5, "bar \(index): \(colour) for \(bar)")
    }
  }

  @Test func areTurnedWhereTheConnectionWasSet() async throws {
    let studio = try LabStudio(.yuyv, LabStudio.wideSize)

    let frame = try #require(
      try await studio.frames(1, as: .pixelFormat(.bgra)) {
        $0.videoOrientation = .landscapeRight
      }.first)

    #expect(frame.width == 360 && frame.height == 640)
  }

  @Test func keptFramesDoNotStopTheCamera() async throws {
    let studio = try LabStudio(.yuyv, LabStudio.wideSize)
    let video = CaptureVideoDataOutput()
    let kept = Mutex<[CapturedFrame]>([])
    video.setFrameHandler { frame in kept.withLock { $0.append(frame) } }
    try studio.session.add(video)
    try await studio.session.start()
    try await until("the output has no more") {
      video.droppedFrameCounts[.outOfBuffers, default: 0] > 2
    }

    kept.withLock { $0 = [] }
    try await until("frames come again") { kept.withLock { !$0.isEmpty } }

    await studio.session.stop()
  }
}
