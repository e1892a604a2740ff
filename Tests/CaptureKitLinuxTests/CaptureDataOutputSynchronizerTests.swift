import CaptureKitMocks
import Dispatch
import Foundation
import Imaging
import Synchronization
import Testing

@testable import CaptureKitLinux

/// Several cameras in one process, and what they took at one time.
@Suite(.timeLimit(.minutes(1)))
struct CaptureDataOutputSynchronizerTests {
  private func synchronizer(
    _ row: CameraRow, _ outputs: CaptureVideoDataOutput...
  ) -> CaptureDataOutputSynchronizer {
    let synchronizer = CaptureDataOutputSynchronizer(dataOutputs: outputs)
    row.recorder.look(for: row.devices)
    synchronizer.setDelegate(row.recorder, queue: nil)
    return synchronizer
  }

  private func isWithinHalfAFrame(_ entry: SetRecorder.Entry) -> Bool {
    entry.stamps.allSatisfy { stamp in
      let distance =
        stamp < entry.time ? stamp.duration(to: entry.time) : entry.time.duration(to: stamp)
      return distance <= .microseconds(16_667)
    }
  }

  @Test func putsTheFramesOfOneSessionsCamerasTogether() async throws {
    let row = try await CameraRow(rates: [30, 30])
    let video = CaptureVideoDataOutput()
    let synchronizer = synchronizer(row, video)
    let session = try row.session(output: video)
    try await session.start()
    await row.pass(untilSets: 10)
    await session.stop()

    let whole = row.recorder.sets.filter(\.missing.isEmpty)
    #expect(whole.count >= 8 && whole.allSatisfy { $0.widths == [32, 64] })
    #expect(whole.allSatisfy { $0.found == [32, 64] && isWithinHalfAFrame($0) })
    #expect(row.recorder.sets.map(\.time) == row.recorder.sets.map(\.time).sorted())
    #expect(synchronizer.droppedFrameCounts[.unmatched] == nil)
  }

  @Test func putsTheFramesOfIndependentSessionsTogether() async throws {
    let row = try await CameraRow(rates: [30, 30, 30])
    let outputs = row.devices.map { _ in CaptureVideoDataOutput() }
    outputs[1].videoSettings = .pixelFormat(.bgra)
    let synchronizer = synchronizer(row, outputs[2], outputs[0], outputs[1])
    var sessions: [CaptureSession] = []
    for (index, output) in outputs.enumerated() {
      sessions.append(try row.session([index], output: output))
      try await sessions[index].start()
      row.clock.advance(by: .milliseconds(5))
    }
    await row.pass(untilSets: 12)
    for session in sessions { await session.stop() }

    let whole = row.recorder.sets.filter(\.missing.isEmpty)
    #expect(whole.count >= 8)
    // In the order of the outputs; each in its output's format.
    #expect(whole.allSatisfy { $0.widths == [96, 32, 64] && $0.formats == [.yuyv, .yuyv, .bgra] })
    #expect(whole.allSatisfy { $0.found == [32, 64, 96] && isWithinHalfAFrame($0) })
    #expect(synchronizer.dataOutputs.count == 3)
  }

  @Test func tellsTheFramesThatFitNoOthers() async throws {
    let row = try await CameraRow(rates: [15, 30])
    let video = CaptureVideoDataOutput()
    let synchronizer = synchronizer(row, video)
    let session = try row.session(output: video)
    try await session.start()
    await row.pass(untilSets: 10)
    let fast = try #require(video.connections.last)
    await row.pass { row.recorder.drops[.unmatched, default: 0] >= 8 }
    #expect(synchronizer.droppedFrameCounts(of: fast)[.unmatched, default: 0] >= 8)
    await session.stop()

    let whole = row.recorder.sets.filter(\.missing.isEmpty)
    #expect(whole.count >= 8)
    let slow = try #require(video.connections.first)
    #expect(synchronizer.droppedFrameCounts(of: slow)[.unmatched] == nil)
  }

  @Test func goesOnWithoutACameraThatIsUnpluggedAndTakesItInAgain() async throws {
    let row = try await CameraRow(rates: [30, 30, 30])
    let video = CaptureVideoDataOutput()
    let synchronizer = synchronizer(row, video)
    defer { withExtendedLifetime(synchronizer) {} }
    let session = try row.session(output: video)
    session.resumesAfterReconnect = true
    try await session.start()
    await row.pass(untilSets: 5)

    let before = row.recorder.sets.count
    row.cameras[0].unplug()
    await row.pass { row.recorder.sets.count { $0.missing == [row.devices[0]] } >= 10 }
    let lost = row.recorder.sets.dropFirst(before).filter { $0.widths == [64, 96] }
    #expect(lost.count >= 10 && lost.allSatisfy { $0.found == [nil, 64, 96] })
    let others = session.inputs.dropFirst().map { session.statistics(of: $0) }
    #expect(others.allSatisfy { $0.lost == 0 && $0.discontinuities == 0 })

    row.cameras[0].replug()
    await row.pass { row.recorder.sets.suffix(3).allSatisfy { $0.widths.count == 3 } }
    #expect(row.recorder.sets.last?.found == [32, 64, 96])
    #expect(session.inputs[0].device !== row.devices[0])
    await session.stop()
  }

  @Test func namesACameraWhoseOwnSessionHasEnded() async throws {
    let row = try await CameraRow(rates: [30, 30])
    let outputs = row.devices.map { _ in CaptureVideoDataOutput() }
    let synchronizer = CaptureDataOutputSynchronizer(dataOutputs: outputs)
    row.recorder.look(for: row.devices)
    synchronizer.setDelegate(row.recorder, queue: DispatchQueue(label: "sets"))
    let sessions = try outputs.enumerated().map { try row.session([$0], output: $1) }
    for session in sessions { try await session.start() }
    await row.pass(untilSets: 5)
    row.cameras[1].unplug()
    await row.pass(waiters: 1) {
      !sessions[1].isRunning && row.recorder.sets.suffix(5).allSatisfy { $0.widths == [32] }
    }
    #expect(sessions[0].isRunning)
    #expect(row.recorder.sets.last?.missing == [row.devices[1]])
    await sessions[0].stop()
  }

  @Test func loopsOverSetsUntilAllSessionsHaveStopped() async throws {
    let row = try await CameraRow(rates: [30, 30])
    let outputs = row.devices.map { _ in CaptureVideoDataOutput() }
    let synchronizer = CaptureDataOutputSynchronizer(dataOutputs: outputs)
    let sessions = try outputs.enumerated().map { try row.session([$0], output: $1) }
    let seen = Mutex<[Int]>([])
    let loop = Task {
      for await set in synchronizer.frameSets { seen.withLock { $0.append(set.count) } }
    }
    for session in sessions { try await session.start() }
    await row.pass { seen.withLock { $0.count { $0 == 2 } } >= 5 }
    await sessions[0].stop()
    await row.pass(waiters: 1) { seen.withLock { $0.last } == 1 }
    await sessions[1].stop()
    await loop.value
    let counts = seen.withLock { $0 }
    #expect(counts.allSatisfy { (1...2).contains($0) })
  }

  @Test func doesNotWaitForASessionThatFailedToStart() async throws {
    let row = try await CameraRow(rates: [30, 30, 30])
    row.cameras[2].script = [.noBandwidth(for: .yuyv)]
    let outputs = [CaptureVideoDataOutput(), CaptureVideoDataOutput()]
    let synchronizer = CaptureDataOutputSynchronizer(dataOutputs: outputs)
    let sessions = [
      try row.session([0], output: outputs[0]), try row.session([1, 2], output: outputs[1]),
    ]
    let seen = Atomic(0)
    let loop = Task {
      for await _ in synchronizer.frameSets { seen.add(1, ordering: .relaxed) }
    }
    await #expect(throws: CaptureError.self) { try await sessions[1].start() }
    try await sessions[0].start()
    await row.pass(waiters: 1) { seen.load(ordering: .relaxed) > 0 }
    await sessions[0].stop()
    await loop.value
    #expect(!sessions[1].isRunning)
  }

  @Test func leavesOutSetsThatAreNotWholeWhereThatIsAskedFor() async throws {
    let row = try await CameraRow(rates: [30, 15])
    let video = CaptureVideoDataOutput()
    let synchronizer = synchronizer(row, video)
    synchronizer.requiresEveryCamera = true
    let session = try row.session(output: video)
    try await session.start()
    await row.pass(untilSets: 6)
    await session.stop()
    let isWhole = { (entry: SetRecorder.Entry) in
      entry.widths == [32, 64] && entry.missing.isEmpty
    }
    #expect(row.recorder.sets.allSatisfy(isWhole))
    #expect(row.recorder.drops[.unmatched, default: 0] >= 4)
  }

  @Test func doesNotMissACameraThatIsSwitchedOffOrIsThereByAnotherWay() async throws {
    let row = try await CameraRow(rates: [30, 30])
    let outputs = row.devices.map { _ in CaptureVideoDataOutput() }
    let synchronizer = CaptureDataOutputSynchronizer(dataOutputs: outputs)
    synchronizer.setDelegate(row.recorder, queue: nil)
    let session = try row.session(output: outputs[0])
    try session.add(outputs[1])
    outputs[0].connections[1].isEnabled = false
    outputs[1].connections[0].isEnabled = false
    try await session.start()
    await row.pass { row.recorder.sets.suffix(4).count { $0.widths == [32, 64] } == 4 }
    let missing = row.recorder.sets.suffix(4).flatMap(\.missing)
    #expect(missing.isEmpty)
    await session.stop()
  }

  @Test func dropsSetsThatAreLateAndSaysSo() async throws {
    let bench = try await SetBench(2)
    let gate = DispatchSemaphore(value: 0)
    let seen = Mutex<[UInt64]>([])
    bench.synchronizer.setFrameSetHandler { set in
      seen.withLock { $0.append(set.frames[0].sequence) }
      gate.wait()
    }
    try bench.send(0)
    while seen.withLock({ $0.isEmpty }) { await Task.yield() }
    for number in 1...3 as ClosedRange<UInt64> { try bench.send(number) }
    #expect(bench.synchronizer.droppedFrameCounts == [.late: 4])
    #expect(bench.synchronizer.droppedFrameCounts(of: bench.connections[1]) == [.late: 2])
    for _ in 0..<2 { gate.signal() }
    while seen.withLock({ $0.count < 2 }) { await Task.yield() }
    #expect(seen.withLock { $0 } == [0, 3])
    gate.signal()
  }

  @Test func namesACameraWhoseFrameCannotBeConverted() async throws {
    let bench = try await SetBench(2)
    bench.outputs[1].videoSettings = .pixelFormat(.bgra)
    let recorder = SetRecorder()
    bench.synchronizer.setDelegate(recorder, queue: nil)
    bench.send(try FramePixelsTests.raw(1), from: 0)
    bench.send(try bench.brokenFrame(1), from: 1)
    while recorder.sets.isEmpty || recorder.drops.isEmpty { await Task.yield() }
    #expect(recorder.sets[0].stamps.count == 1)
    #expect(recorder.sets[0].missing == [bench.connections[1].input.device])
    #expect(recorder.drops == [.corrupt: 1])

    bench.synchronizer.requiresEveryCamera = true
    bench.send(try FramePixelsTests.raw(2), from: 0)
    bench.send(try bench.brokenFrame(2), from: 1)
    while recorder.drops.count < 2 { await Task.yield() }
    #expect(recorder.sets.count == 1 && recorder.drops == [.corrupt: 2, .unmatched: 1])
  }

  @Test func isLetGoOfWithItsUser() async throws {
    var bench: SetBench? = try await SetBench(2)
    let outputs = try #require(bench?.outputs)
    weak let synchronizer = bench?.synchronizer
    bench?.synchronizer.setFrameSetHandler { _ in }
    let counts = { outputs.map { output in output.state.withLock { $0.synchronizers.count } } }
    #expect(counts() == [1, 1])
    bench = nil
    #expect(synchronizer == nil && counts() == [0, 0])
  }

  @Test func callsNobodyAfterItWasLetGoOf() async throws {
    var bench: SetBench? = try await SetBench(1)
    let entered = Mutex(0)
    let gate = DispatchSemaphore(value: 0)
    let queue = DispatchQueue(label: "sets")
    bench?.synchronizer.setFrameSetHandler(queue: queue) { _ in
      entered.withLock { $0 += 1 }
      gate.wait()
    }
    try bench?.send(0)
    while entered.withLock({ $0 == 0 }) { await Task.yield() }
    try bench?.send(1)
    bench = nil
    for _ in 0..<2 { gate.signal() }
    // What was to be called has been, once these are.
    for _ in 0..<3 {
      await withCheckedContinuation { done in queue.async { done.resume() } }
    }
    #expect(entered.withLock { $0 } == 1)
  }

  @Test func forgetsConnectionsThatGoWhileItIsMade() async throws {
    let bench = try await VideoBench()
    let (video, input) = (bench.video, bench.connection.input)
    // Many, so that some go between being seen and being added.
    for _ in 0..<50 {
      let connections = (0..<60).map { _ in CaptureConnection(input: input, output: video) }
      for connection in connections { video.didConnect(connection) }
      let removal = Task.detached {
        for connection in connections.reversed() { video.didDisconnect(connection) }
      }
      let synchronizer = CaptureDataOutputSynchronizer(dataOutputs: [video])
      await removal.value
      #expect(synchronizer.core.connections.count == 1)
    }
  }

  @Test func keepsOrderWhereCamerasSendAtOnce() async throws {
    let bench = try await SetBench(4)
    let seen = Mutex<[UInt64]>([])
    bench.synchronizer.setFrameSetHandler { set in
      seen.withLock { $0.append(set.frames[0].sequence) }
    }
    await withTaskGroup { group in
      for camera in 0..<4 {
        group.addTask {
          for number in 0..<500 as Range<UInt64> {
            guard let frame = try? FramePixelsTests.raw(number) else { return }
            bench.send(frame, from: camera)
          }
        }
      }
    }
    let counts = bench.synchronizer.droppedFrameCounts
    let numbers = seen.withLock { $0 }
    #expect(numbers == numbers.sorted())
    #expect(counts.keys.allSatisfy { [.late, .unmatched].contains($0) })
  }
}

/// Outputs on connections without a session: a test hands them each frame itself.
struct SetBench: Sendable {
  let outputs: [CaptureVideoDataOutput]
  let connections: [CaptureConnection]
  let synchronizer: CaptureDataOutputSynchronizer

  init(_ count: Int) async throws {
    let outputs = (0..<count).map { _ in CaptureVideoDataOutput() }
    var connections: [CaptureConnection] = []
    for output in outputs { connections.append(try await VideoBench(output).connection) }
    (self.outputs, self.connections) = (outputs, connections)
    synchronizer = CaptureDataOutputSynchronizer(dataOutputs: outputs)
    let format = CaptureFormat(
      pixelFormat: .yuyv, dimensions: VideoDimensions(width: 64, height: 32),
      frameDuration: .thirtieth)
    for (output, connection) in zip(outputs, connections) {
      output.connection(connection, didStartWith: format, at: HostTime(nanoseconds: 0))
    }
  }

  /// A frame of each camera, at one time.
  func send(_ number: UInt64) throws {
    for index in outputs.indices { send(try FramePixelsTests.raw(number), from: index) }
  }

  func send(_ frame: CapturedFrame, from index: Int) {
    outputs[index].connection(connections[index], didReceive: frame)
  }

  /// A JPEG that is none.
  func brokenFrame(_ number: UInt64) throws -> CapturedFrame {
    let whole = try FramePixelsTests.raw(number)
    return CapturedFrame(
      jpeg: Data([1, 2, 3]), dimensions: whole.dimensions, sequence: number,
      timestamp: whole.timestamp)
  }
}
