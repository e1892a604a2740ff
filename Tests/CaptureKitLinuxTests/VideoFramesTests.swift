import CaptureKitMocks
import Foundation
import Imaging
import Testing

@testable import CaptureKitLinux

/// Loops over an output's frames.
@Suite(.timeLimit(.minutes(1)))
struct VideoFramesTests {
  @Test func giveTheNewestAndCountTheOthers() async throws {
    let bench = try await VideoBench()
    let loop = bench.video.frames.makeAsyncIterator()

    try bench.send(0...4)

    #expect(await loop.next()?.sequence == 4)
    #expect(bench.video.droppedFrameCounts == [.late: 4])
  }

  @Test func giveFourInARowWhereLateOnesAreNotDropped() async throws {
    let bench = try await VideoBench()
    let loop = bench.video.frames.makeAsyncIterator()
    bench.video.alwaysDiscardsLateVideoFrames = false

    try bench.send(0...5)

    for number in 0..<4 as Range<UInt64> { #expect(await loop.next()?.sequence == number) }
    #expect(bench.video.droppedFrameCounts == [.outOfBuffers: 2])
  }

  @Test func giveEachLoopItsOwn() async throws {
    let bench = try await VideoBench()
    let (slow, fast) = (
      bench.video.frames.makeAsyncIterator(), bench.video.frames.makeAsyncIterator()
    )

    try bench.send(0...0)
    #expect(await fast.next()?.sequence == 0)
    try bench.send(1...1)

    #expect(await fast.next()?.sequence == 1)
    #expect(await slow.next()?.sequence == 1)
  }

  @Test(arguments: [CaptureVideoDataOutput.VideoSettings.native, .pixelFormat(.bgra)])
  func giveALoopThatWaitsItsFrame(_ settings: CaptureVideoDataOutput.VideoSettings) async throws {
    let bench = try await VideoBench()
    bench.video.videoSettings = settings
    let subscription = bench.video.subscribe()
    for number in 0..<20 as Range<UInt64> {
      async let next = subscription.next()?.frame.sequence

      try bench.send(number...number)

      #expect(await next == number)
    }
  }

  @Test func goOnAfterAFrameThatCannotBeDecoded() async throws {
    let bench = try await VideoBench()
    bench.video.alwaysDiscardsLateVideoFrames = false
    bench.video.videoSettings = .pixelFormat(.bgra)
    let loop = bench.video.frames.makeAsyncIterator()

    bench.send(try FramePixelsTests.jpeg(0, isWhole: false))
    bench.send(try FramePixelsTests.jpeg(1))

    #expect(await loop.next()?.sequence == 1)
  }

  @Test func costNothingOnceTheLoopHasGone() async throws {
    let bench = try await VideoBench()
    do {
      let loop = bench.video.frames.makeAsyncIterator()
      try bench.send(0...0)
      #expect(await loop.next() != nil)
    }

    try bench.send(1...9)

    #expect(bench.video.droppedFrameCounts.isEmpty)
  }

  @Test func endWhereTheTaskIsCancelled() async throws {
    let video = CaptureVideoDataOutput()
    let task = Task { for await _ in video.frames {} }
    task.cancel()
    await task.value
  }

  /// A loop in a task of its own, which returns how many frames it saw.
  private func loop(over video: CaptureVideoDataOutput) -> (Task<Int, Never>, AsyncStream<Void>) {
    let (seen, tick) = AsyncStream<Void>.makeStream()
    let frames = video.frames
    let task = Task {
      var count = 0
      for await _ in frames {
        count += 1
        tick.yield()
      }
      return count
    }
    return (task, seen)
  }

  private func studio() async throws -> (Studio, CaptureVideoDataOutput) {
    let studio = try await Studio(CaptureSessionTests.smallCamera())
    let video = CaptureVideoDataOutput()
    try studio.session.add(video)
    return (studio, video)
  }

  @Test(arguments: [true, false])
  func endWhereTheSessionStops(beginsBefore: Bool) async throws {
    let (studio, video) = try await studio()
    if !beginsBefore { try await studio.session.start() }
    let (task, seen) = loop(over: video)
    if beginsBefore { try await studio.session.start() }
    for await _ in seen { break }

    await studio.session.stop()

    #expect(await task.value > 0)
  }

  @Test func endWhereTheOutputIsRemoved() async throws {
    let (studio, video) = try await studio()
    try await studio.session.start()
    let (task, seen) = loop(over: video)
    for await _ in seen { break }

    studio.session.removeOutput(video)

    #expect(await task.value > 0)
    await studio.session.stop()
  }

  @Test func endWhereTheCameraIsGone() async throws {
    let (studio, video) = try await studio()
    try await studio.session.start()
    let (task, seen) = loop(over: video)
    for await _ in seen { break }

    studio.camera.unplug()

    #expect(await task.value > 0)
  }

  @Test func endWhereTheSessionIsLetGo() async throws {
    let video = CaptureVideoDataOutput()
    let loop = video.frames.makeAsyncIterator()
    do {
      let session = CaptureSession()
      try session.add(video)
    }
    #expect(await loop.next() == nil)
  }

  @Test func goOnWhileTheSessionChangesFormats() async throws {
    let small = CaptureDevice.Format(
      .grey, dimensions: VideoDimensions(width: 64, height: 48),
      frameDurations: [.thirtieth ... .thirtieth])
    let large = CaptureDevice.Format(.yuyv, dimensions: VideoDimensions(width: 160, height: 120))
    let camera = MockCamera(
      frames: .testPattern(.yuyv, width: 160, height: 120), formats: [large, small])
    let studio = try await Studio(camera)
    let video = CaptureVideoDataOutput()
    try studio.session.add(video)
    try studio.device.lockForConfiguration()
    studio.device.activeFormat = small
    studio.device.unlockForConfiguration()
    try await studio.session.start()

    var widths: [Int] = []
    for await frame in video.frames where frame.width != widths.last {
      widths.append(frame.width)
      if widths.count == 2 { break }
      studio.session.sessionPreset = .medium
    }

    #expect(widths == [64, 160])
    await studio.session.stop()
  }
}
