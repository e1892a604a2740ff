import CaptureKitLinux
import CaptureKitMocks
import Foundation
import Imaging
import Testing

@Suite(.timeLimit(.minutes(1)))
struct MockStreamTests {
  /// Long enough for the slowest machine; nothing here waits for it.
  private let far = Duration.seconds(50)

  private func waitingFrame(of rig: Rig) -> Task<CapturedFrame?, any Error> {
    Task { [stream = rig.stream, far] in
      try await onThread { try stream.nextFrame(before: .now + far) }
    }
  }

  @Test
  func framesComeAtTheirRateWithTheirStamps() throws {
    let rig = try Rig()
    let start = rig.clock.now
    try rig.start()
    rig.clock.advance(by: .milliseconds(99))
    #expect(try rig.stream.nextFrame(before: .now) == nil)
    rig.clock.advance(by: .milliseconds(1))
    let first = try unwrap(try rig.stream.nextFrame(before: .now))
    #expect(first.timestamp == FrameTimestamp(start, .startOfExposure))
    #expect(first.duration == .framesPerSecond(10))
    rig.camera.timestampReference = .endOfFrame
    let second = try unwrap(try rig.next())
    #expect(second.timestamp == FrameTimestamp(rig.clock.now, .endOfFrame))
    #expect(second.number == 1)
  }

  @Test
  func anHourOnTheClockLosesNothingAndIsTheSameEachTime() throws {
    func run() throws -> [UInt64] {
      let rig = try Rig(script: [
        .dropFrame(at: 20), .stall(afterFrame: 50, for: .seconds(3500)), .errorFlag(at: 7),
      ])
      try rig.start()
      rig.clock.advance(by: .seconds(3600))
      var sequences: [UInt64] = []
      while let frame = try rig.stream.nextFrame(before: .now) {
        sequences.append(frame.sequence * 2 + (frame.isDamaged ? 1 : 0))
      }
      return sequences
    }
    let first = try run()
    #expect(first.count == 999)
    #expect(first == (try run()))
  }

  @Test
  func interruptWakesWhoWaits() async throws {
    let rig = try Rig()
    try rig.start()
    let begun = ContinuousClock.now
    let frame = waitingFrame(of: rig)
    await rig.clock.waitForWork()
    rig.stream.interrupt()
    #expect(try await frame.value == nil)
    #expect(begun.duration(to: .now) < far / 2)
  }

  @Test
  func interruptIsNotLostWhenNobodyWaits() throws {
    let rig = try Rig()
    try rig.start()
    rig.stream.interrupt()
    rig.stream.interrupt()
    #expect(try rig.stream.nextFrame(before: .now + far) == nil)
    #expect(try rig.next()?.sequence == 0)
  }

  @Test
  func movingTheClockWakesWhoWaits() async throws {
    let rig = try Rig()
    try rig.start()
    let frame = waitingFrame(of: rig)
    await rig.clock.waitForWork()
    rig.clock.advance(by: Rig.interval)
    #expect(try await frame.value?.sequence == 0)
    #expect(rig.clock.scheduledCount == 0)
  }

  @Test
  func unpluggingWakesWhoWaits() async throws {
    let rig = try Rig()
    try rig.start()
    let frame = waitingFrame(of: rig)
    await rig.clock.waitForWork()
    rig.camera.unplug()
    await #expect(throws: CaptureError.self) { try await frame.value }
    rig.camera.replug()
    #expect(await rig.backend.devices().count == 1)
  }

  @Test
  func stoppingWakesWhoWaits() async throws {
    let rig = try Rig()
    try rig.start()
    let frame = waitingFrame(of: rig)
    await rig.clock.waitForWork()
    rig.stream.stop()
    await #expect(throws: CaptureError.self) { try await frame.value }
  }

  @Test
  func givesUpAtTheRealDeadline() throws {
    let rig = try Rig()
    try rig.start()
    let deadline = ContinuousClock.now + .milliseconds(20)
    #expect(try rig.stream.nextFrame(before: deadline) == nil)
    #expect(ContinuousClock.now >= deadline)
  }

  @Test
  func keptFramesStayAsTheyWereAndStopNothing() throws {
    let rig = try Rig()
    try rig.start()
    let kept = try rig.frames(200).map { try unwrap($0) }
    #expect(kept.map(\.number) == Array(0..<200))
    rig.stream.stop()
    #expect(kept.map(\.number) == Array(0..<200))
  }

  @Test
  func startsAgainAfterItWasStopped() throws {
    let rig = try Rig()
    try rig.start()
    _ = try rig.frames(3)
    rig.stream.stop()
    rig.stream.stop()
    #expect(throws: CaptureError.self) { try rig.next() }
    try rig.start()
    #expect(try rig.frames(2).map { $0?.sequence } == [0, 1])
    let counters = rig.camera.counters
    #expect(counters.opened == 1 && counters.started == 2 && counters.stopped == 1)
    #expect(counters.framesHandedOut == 5)
  }

  @Test
  func isClosedWhenItIsLetGo() throws {
    let camera = MockCamera(frames: .testPattern(.grey, width: 8, height: 8))
    let backend = MockBackend(cameras: [camera], clock: ManualClock())
    var stream: (any CaptureStream)? = try backend.open(
      CaptureDeviceDescription(uniqueID: camera.uniqueID, localizedName: ""))
    #expect(stream != nil && camera.counters.closed == 0)
    stream = nil
    #expect(camera.counters.closed == 1)
  }

  @Test
  func oneStreamOfACameraRunsAtATime() throws {
    let rig = try Rig()
    let second = try rig.backend.open(rig.device)
    try rig.start()
    #expect(throws: CaptureError.self) { try second.start(rig.request) }
    rig.stream.stop()
    try second.start(rig.request)
  }

  @Test
  func refusesFormatsThatTheCameraDoesNotHave() throws {
    let rig = try Rig()
    let size = VideoDimensions(width: 64, height: 32)
    for format in [
      CaptureFormat(pixelFormat: .yuyv, dimensions: size),
      CaptureFormat(
        pixelFormat: .grey, dimensions: VideoDimensions(width: 64, height: 33)),
    ] {
      #expect(throws: CaptureError.self) { try rig.stream.start(format) }
    }
    try rig.start()
  }

  @Test
  func realTimeFramesComeByThemselves() async throws {
    let camera = MockCamera(
      frames: .testPattern(.grey, width: 64, height: 32, framesPerSecond: 100))
    let backend = MockBackend(cameras: [camera])
    let stream = try backend.open(
      CaptureDeviceDescription(uniqueID: camera.uniqueID, localizedName: ""))
    try stream.start(try unwrap(camera.formats.first).request())
    let begun = HostTime.now
    let frames = try await onThread { [far] in
      try (0..<5).map { _ in try unwrap(try stream.nextFrame(before: .now + far)) }
    }
    #expect(begun.duration(to: .now) >= .milliseconds(45))
    #expect(frames.map { $0.number.map(UInt64.init) } == frames.map(\.sequence))
  }

  @Test
  func manyThreadsDisturbNothing() async throws {
    let rig = try Rig()
    try rig.start()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for thread in 0..<4 {
        group.addTask {
          try await onThread { [rig] in
            for turn in 0..<200 {
              switch (thread + turn) % 4 {
              case 0: rig.stream.interrupt()
              case 1: rig.clock.advance(by: .milliseconds(10))
              case 2: rig.camera.script = [.dropFrame(at: turn)]
              default: _ = rig.camera.counters
              }
            }
          }
        }
      }
      group.addTask {
        try await onThread { [rig] in
          for _ in 0..<200 { _ = try rig.stream.nextFrame(before: .now + .milliseconds(1)) }
        }
      }
      try await group.waitForAll()
    }
    rig.stream.stop()
    try rig.start()
    while try rig.stream.nextFrame(before: .now) != nil {}
    #expect(rig.camera.counters.started == 2)
  }
}
