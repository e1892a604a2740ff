import CaptureKitLinux
import CaptureKitMocks
import Imaging
import Testing

@Suite(.timeLimit(.minutes(1)))
struct MockFaultTests {
  private func code(_ body: () throws -> Void) -> CaptureError.Code? {
    do {
      try body()
      return nil
    } catch {
      return (error as? CaptureError)?.code
    }
  }

  @Test
  func unplugsAfterItsFrameAndComesBack() async throws {
    let rig = try Rig(script: [.unplug(afterFrame: 2), .replug(after: .seconds(2))])
    try rig.start()
    #expect(try rig.frames(3).map { $0?.sequence } == [0, 1, 2])
    #expect(await rig.backend.devices().isEmpty)
    #expect(code { _ = try rig.next() } == .disconnected)
    #expect(code { _ = try rig.backend.open(rig.device) } == .disconnected)
    #expect(code { _ = try rig.backend.device(atPath: rig.camera.uniqueID) } == .noDevice)

    rig.clock.advance(by: .seconds(2))
    #expect(await rig.backend.devices().map(\.uniqueID) == [rig.camera.uniqueID])
    #expect(code { _ = try rig.stream.nextFrame(before: .now) } == .disconnected)
    #expect(code { try rig.stream.start(rig.request) } == .disconnected)
    let second = try rig.backend.open(rig.device)
    try second.start(rig.request)
    rig.clock.advance(by: .seconds(1))
    #expect(try (0..<10).map { _ in try second.nextFrame(before: .now)?.sequence } == Array(0..<10))
  }

  @Test
  func unplugsAsOftenAsTheScriptSays() async throws {
    let rig = try Rig(script: [
      .unplug(afterFrame: 0), .replug(after: .seconds(1)), .unplug(afterFrame: 1),
    ])
    try rig.start()
    _ = try rig.next()
    rig.clock.advance(by: .seconds(1))

    let second = try rig.backend.open(rig.device)
    try second.start(rig.request)
    rig.clock.advance(by: .seconds(1))
    #expect(try second.nextFrame(before: .now)?.sequence == 0)
    #expect(try second.nextFrame(before: .now)?.sequence == 1)
    #expect(code { _ = try second.nextFrame(before: .now) } == .disconnected)
    rig.clock.advance(by: .seconds(100))
    #expect(await rig.backend.devices().isEmpty)
  }

  @Test
  func unplugsBeforeTheFirstFrame() throws {
    let rig = try Rig(script: [.unplug(afterFrame: -1)])
    try rig.start()
    #expect(code { _ = try rig.stream.nextFrame(before: .now + .seconds(30)) } == .disconnected)
  }

  @Test
  func stallsForItsTimeAndGoesOn() throws {
    let rig = try Rig(script: [.stall(afterFrame: 1, for: .milliseconds(300))])
    try rig.start()
    #expect(
      try rig.frames(7).map { $0?.sequence } == [0, 1, nil, nil, nil, 2, 3])
  }

  @Test
  func startsLate() throws {
    let rig = try Rig(script: [.slowStart(.milliseconds(200))])
    try rig.start()
    #expect(try rig.frames(4).map { $0?.sequence } == [nil, nil, 0, 1])
  }

  @Test
  func leavesAGapForALostFrame() throws {
    let rig = try Rig(script: [.dropFrame(at: 1)])
    try rig.start()
    #expect(try rig.frames(4).map { $0?.sequence } == [0, nil, 2, 3])
    #expect(rig.camera.counters.framesLost == 1)
    #expect(rig.camera.counters.framesHandedOut == 3)
  }

  @Test
  func sendsHalfOfAShortFrame() throws {
    let rig = try Rig(.yuyv, script: [.shortFrame(at: 1)])
    try rig.start()
    let frames = try rig.frames(3).map { try unwrap($0) }
    #expect(frames.map { $0.bytes.byteCount } == [4096, 2048, 4096])
    #expect(frames.map(\.isDamaged) == [false, true, false])
    #expect(frames[1].pixelBuffer == nil)
  }

  @Test
  func flagsAFrameWhoseBytesAreAllThere() throws {
    let rig = try Rig(script: [.errorFlag(at: 0)])
    try rig.start()
    let frames = try rig.frames(2).map { try unwrap($0) }
    #expect(frames.map(\.isDamaged) == [true, false])
    #expect(frames.map(\.number) == [0, 1])
  }

  @Test
  func startsWithBlackFrames() throws {
    let rig = try Rig(.yuyv, script: [.blackFrames(first: 2)])
    try rig.start()
    let frames = try rig.frames(3).map { try unwrap($0) }
    #expect(frames.map(\.number) == [nil, nil, 2])
    #expect(Set(frames[0].copy) == [16, 128])
  }

  @Test
  func stampsPickupsWhereTheDriverDoesNotKnow() throws {
    let rig = try Rig(script: [.unknownTimestamps])
    try rig.start()
    rig.clock.advance(by: .milliseconds(150))
    let frame = try unwrap(try rig.stream.nextFrame(before: .now))
    #expect(frame.timestamp == FrameTimestamp(rig.clock.now, .pickup))
  }

  @Test
  func hasFramesOfBeforeTheStartWaiting() throws {
    let rig = try Rig(script: [.staleFrames(3)])
    let start = rig.clock.now
    try rig.start()
    let waiting = try (0..<4).map { _ in try rig.stream.nextFrame(before: .now) }
    #expect(waiting.map { $0?.sequence } == [0, 1, 2, nil])
    #expect(waiting.compactMap { $0 }.allSatisfy { $0.presentationTime < start })
    #expect(try rig.next()?.presentationTime == start)
  }

  @Test
  func isBusyUntilTheScriptChanges() throws {
    let rig = try Rig()
    rig.camera.script = [.busy]
    #expect(code { _ = try rig.backend.open(rig.device) } == .inUse)
    rig.camera.script = []
    #expect(code { _ = try rig.backend.open(rig.device) } == nil)
  }

  @Test
  func isListedAsDeniedWithoutPermission() async throws {
    let rig = try Rig()
    rig.camera.script = [.noPermission]
    #expect(await rig.backend.devices().map(\.authorization) == [.denied])
    #expect(code { _ = try rig.backend.open(rig.device) } == .notPermitted)
  }

  @Test
  func failsToStartAsItIsTold() throws {
    let rig = try Rig(script: [.failsToStart(CaptureError(.usbBandwidth))])
    #expect(code { try rig.start() } == .usbBandwidth)
    #expect(rig.camera.counters.started == 0)
    rig.camera.script = []
    try rig.start()
    #expect(try rig.next() != nil)
  }

  @Test
  func deliversAnotherSizeAndSaysSo() throws {
    let size = VideoDimensions(width: 48, height: 16)
    let rig = try Rig(script: [.wrongSize(size)])
    try rig.start()
    #expect(rig.stream.deliveredFormat?.dimensions == size)
    let frame = try unwrap(try rig.next())
    #expect(frame.dimensions == size)
    #expect(frame.bytes.byteCount == 48 * 16)
    #expect(frame.number == 0)
  }

  @Test
  func repeatsNothingThatHasHappened() throws {
    let rig = try Rig(script: [
      .errorFlag(at: 0), .dropFrame(at: 1), .stall(afterFrame: 2, for: .seconds(9)),
    ])
    try rig.start()
    _ = try rig.frames(3)
    rig.stream.stop()
    try rig.start()
    let frames = try rig.frames(4)
    #expect(frames.map { $0?.sequence } == [0, 1, 2, 3])
    #expect(frames.allSatisfy { $0?.isDamaged == false })
  }
}

extension Rig {
  var device: CaptureDeviceDescription {
    CaptureDeviceDescription(uniqueID: camera.uniqueID, localizedName: camera.name)
  }
}
