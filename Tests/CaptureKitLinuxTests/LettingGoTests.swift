import CaptureKitMocks
import Foundation
import Imaging
import Synchronization
import Testing

@testable import CaptureKitLinux

/// Objects that call the library when the last that holds them is let go of, and what ends with its
/// owner.
@Suite(.timeLimit(.minutes(1)))
struct LettingGoTests {
  /// Does something as it goes.
  private final class Parting: Sendable {
    private let work: @Sendable () -> Void

    init(_ work: @escaping @Sendable () -> Void) { self.work = work }

    deinit { work() }

    func stay() {}
  }

  @Test func lettingGoOfAFrameHandlerMaySetAnother() async throws {
    let bench = try await VideoBench()
    let video = bench.video
    let hasGone = Mutex(false)
    do {
      let parting = Parting { [weak video] in
        video?.setFrameHandler { _ in }
        hasGone.withLock { $0 = true }
      }
      video.setFrameHandler { _ in parting.stay() }
    }

    video.setFrameHandler(nil)

    #expect(hasGone.withLock { $0 })
  }

  @Test func lettingGoOfADiagnosticHandlerMayStopTheSession() async throws {
    let studio = try await Studio(CaptureSessionTests.smallCamera())
    let session = studio.session
    do {
      let parting = Parting { [weak session] in session?.stopRunning() }
      session.diagnosticHandler = { _ in parting.stay() }
    }
    try await session.start()

    session.diagnosticHandler = nil

    #expect(!session.isRunning)
  }

  @Test func lettingGoOfAnEnvironmentsHandlerMayAskForIt() {
    let environment = CaptureEnvironment(backends: [])
    let hasGone = Mutex(false)
    do {
      let parting = Parting { [weak environment] in
        let isSilent = environment?.diagnosticHandler == nil
        hasGone.withLock { $0 = isSilent }
      }
      environment.diagnosticHandler = { _ in parting.stay() }
    }

    environment.diagnosticHandler = nil

    #expect(hasGone.withLock { $0 })
  }

  @Test func aLoopOverStatesEndsWithTheSession() async {
    var session: CaptureSession? = CaptureSession()
    var states = session?.states.makeAsyncIterator()
    #expect(await states?.next() == .stopped)

    session = nil

    #expect(await states?.next() == nil)
    _ = session
  }

  @Test func nothingIsKnownOfAnInputThatWasRemoved() async throws {
    let studio = try await Studio(CaptureSessionTests.smallCamera())
    let session = studio.session
    let tap = FrameTap()
    try session.add(tap)
    try await session.start()
    await tap.frames(3)
    await session.stop()
    let input = try #require(session.inputs.first)
    let before = session.statistics
    #expect(session.statistics(of: input).delivered >= 3)

    session.removeInput(input)

    #expect(session.statistics(of: input) == CaptureStatistics())
    #expect(session.statistics.delivered == before.delivered)
  }

  @Test func framesThatOneConsumerKeepsAreNoOthers() async throws {
    let bench = try await VideoBench()
    bench.video.videoSettings = .pixelFormat(.bgra)
    let recorder = VideoRecorder(keepsFrames: true)
    bench.video.setSampleBufferDelegate(recorder, queue: nil)
    let loop = bench.video.frames.makeAsyncIterator()
    for number in 0...9 as ClosedRange<UInt64> {
      try bench.send(number...number)
      #expect(await loop.next()?.sequence == number)
      _ = await recorder.events(Int(number) + 1)
    }
    #expect(recorder.events.suffix(2) == [.drop(.outOfBuffers), .drop(.outOfBuffers)])
  }

  @Test func aThousandLoopsShareOnePictureEach() async throws {
    let bench = try await VideoBench()
    bench.video.videoSettings = .pixelFormat(.bgra)
    let loops = (0..<1000).map { _ in bench.video.frames.makeAsyncIterator() }
    try bench.send(0...0)

    var frames: [CapturedFrame] = []
    for loop in loops { frames += [await loop.next()].compactMap(\.self) }

    #expect(frames.count == 1000)
    #expect(bench.video.droppedFrameCounts.isEmpty)
  }

  @Test func aFrameMaySayThatItIsLargerThanAnything() throws {
    let frame = CapturedFrame(
      jpeg: .init([0xFF, 0xD8, 0xFF, 0xD9]), dimensions: VideoDimensions(width: .max, height: .max),
      sequence: 0, timestamp: FrameTimestamp(.now, .pickup))
    #expect(throws: ImagingError.self) { try frame.pixels(as: .bgra) }
  }
}
