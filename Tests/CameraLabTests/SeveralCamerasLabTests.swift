import CaptureKitLinux
import Foundation
import Imaging
import Synchronization
import Testing

/// Two and four USB cameras at once, of which the first two are the same in everything but the port.
@Suite(.inLab(.twins, .quad), .timeLimit(.minutes(2)))
struct SeveralCamerasLabTests {
  /// Small enough for an emulated processor that decodes none of them.
  private static let size = VideoDimensions(width: 320, height: 240)

  private var cameraCount: Int { LabConstellation.current == .quad ? 4 : 2 }

  private func devices() throws -> [CaptureDevice] {
    let devices = DiscoveryLabTests.cameras
    try #require(devices.count == cameraCount)
    #expect(Set(devices.map(\.uniqueID)).count == cameraCount)
    for device in devices { try device.choose(.mjpeg, Self.size) }
    return devices
  }

  @Test func oneSessionsCamerasComeTogether() async throws {
    let devices = try devices()
    let session = CaptureSession()
    let video = CaptureVideoDataOutput()
    for device in devices { try session.add(try CaptureDeviceInput(device: device)) }
    try session.add(video)
    let diary = SetDiary(devices, [video])
    try await session.start()
    try await until("twenty whole sets have come") { diary.wholeCount >= 20 }
    await session.stop()
    diary.check()
    #expect(session.lastError == nil)
  }

  @Test func independentSessionsCamerasComeTogether() async throws {
    let devices = try devices()
    let outputs = devices.map { _ in CaptureVideoDataOutput() }
    let sessions = try zip(devices, outputs).map { device, output in
      let session = CaptureSession()
      try session.add(try CaptureDeviceInput(device: device))
      try session.add(output)
      return session
    }
    let diary = SetDiary(devices, outputs)
    for session in sessions { try await session.start() }
    try await until("twenty whole sets have come") { diary.wholeCount >= 20 }
    for session in sessions { await session.stop() }
    diary.check()
    #expect(sessions.allSatisfy { $0.lastError == nil })
  }

  /// The second of the twins sends black pictures: each picture tells whose it is.
  @Test func twinsAreKeptApartInSetsAndSessions() async throws {
    let devices = try devices()
    let session = CaptureSession()
    let video = CaptureVideoDataOutput()
    for device in devices.prefix(2) { try session.add(try CaptureDeviceInput(device: device)) }
    try session.add(video)
    let diary = SetDiary(Array(devices.prefix(2)), [video])
    try await LabCamera(1).tell("black 100000")
    try await session.start()
    try await until("ten whole sets have come") { diary.wholeCount >= 10 }
    await session.stop()
    try await LabCamera(1).tell("black 0")
    let kept = try #require(diary.lastWhole)
    #expect(try FrameNumber.read(kept[0]) != nil)
    #expect(try isBlack(kept[1]))
  }

  @Test func oneIsUnpluggedWhileTheOthersRunAndComesBack() async throws {
    let devices = try devices()
    let session = CaptureSession()
    session.resumesAfterReconnect = true
    let video = CaptureVideoDataOutput()
    for device in devices { try session.add(try CaptureDeviceInput(device: device)) }
    try session.add(video)
    let diary = SetDiary(devices, [video])
    try await session.start()
    try await until("ten whole sets have come") { diary.wholeCount >= 10 }
    let before = session.inputs.map { session.statistics(of: $0) }

    try await LabCamera(0).tell("unplug")
    let others = Array(devices.dropFirst())
    try await until("sets go on without the first") {
      diary.count {
        $0.missing.map(\.uniqueID) == [devices[0].uniqueID] && $0.count == others.count
      }
        >= 15
    }
    let after = session.inputs.map { session.statistics(of: $0) }
    for (one, other) in zip(before, after).dropFirst() {
      let delivered = other.delivered - one.delivered
      // The emulated processor loses some by itself.
      #expect(delivered >= 15 && other.lost - one.lost <= delivered / 2)
      #expect(other.discontinuities == one.discontinuities && other.restarts == one.restarts)
    }
    #expect(session.isRunning)

    let wholeBefore = diary.wholeCount
    try await LabCamera(0).tell("plug")
    try await until("it is in again") { diary.wholeCount >= wholeBefore + 10 }
    #expect(session.inputs[0].device.uniqueID == devices[0].uniqueID)
    #expect(session.inputs[0].device !== devices[0])
    await session.stop()
    diary.check()
    try await until("all cameras are there") { DiscoveryLabTests.cameras.count == cameraCount }
  }

  private func isBlack(_ copy: LabTap.Copy) throws -> Bool {
    let pixels = try Image(copy.bytes).pixelBuffer()
    return [(8, 8), (100, 100), (300, 200)].allSatisfy { x, y in
      Colour(of: pixels, x: x, y: y).distance(to: Colour(0, 0, 0)) <= 4
    }
  }
}

/// What became of the frames of several cameras.
private final class SetDiary: Sendable {
  private let devices: [CaptureDevice]
  private let synchronizer: CaptureDataOutputSynchronizer
  private let sets = Mutex<[Entry]>([])
  private let newest = Mutex<[LabTap.Copy]?>(nil)

  struct Entry: Sendable {
    let time: HostTime
    let stamps: [HostTime]
    /// The shortest frame duration of those that are there.
    let duration: Duration
    let count: Int
    let missing: [CaptureDevice]
  }

  init(_ devices: [CaptureDevice], _ outputs: [CaptureVideoDataOutput]) {
    self.devices = devices
    synchronizer = CaptureDataOutputSynchronizer(dataOutputs: outputs)
    synchronizer.setFrameSetHandler { [weak self] set in self?.note(set) }
  }

  var wholeCount: Int { count { $0.missing.isEmpty } }
  var lastWhole: [LabTap.Copy]? { newest.withLock { $0 } }

  func count(_ isOne: (Entry) -> Bool) -> Int { sets.withLock { $0.filter(isOne).count } }

  private func note(_ set: CaptureFrameSet) {
    let frames = devices.compactMap { set[$0] }
    if set.isComplete {
      newest.withLock { kept in
        kept = frames.map { frame in
          LabTap.Copy(
            timestamp: frame.timestamp, pixelFormat: frame.pixelFormat, width: frame.width,
            bytes: frame.bytes.withUnsafeBytes { Data($0) })
        }
      }
    }
    let entry = Entry(
      time: set.presentationTime, stamps: set.frames.map(\.presentationTime),
      duration: set.frames.compactMap(\.duration?.duration).min() ?? .zero, count: frames.count,
      missing: set.missing)
    sets.withLock { $0.append(entry) }
  }

  /// Sets are in order, and of one time: within half a frame.
  func check() {
    let sets = sets.withLock { $0 }
    let times = sets.map(\.time)
    #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
    for set in sets {
      #expect(set.stamps.count == set.count && set.count + set.missing.count == devices.count)
      for stamp in set.stamps {
        let distance = min(stamp, set.time).duration(to: max(stamp, set.time))
        #expect(distance <= set.duration / 2)
      }
    }
    let counts = synchronizer.droppedFrameCounts
    print("sets: \(sets.count), whole: \(sets.count { $0.missing.isEmpty }), not in one: \(counts)")
  }
}
