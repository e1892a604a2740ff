import CaptureKitLinux
import CaptureKitMocks
import LinuxSystem
import Synchronization
import Testing

/// A session on a driver that fails, and fails again while it is being recovered.
@Suite(.timeLimit(.minutes(1)))
struct SessionRecoveryKernelTests {
  private final class Counter: CaptureOutput {
    private let counts = Mutex((frames: 0, breaks: 0, ends: 0))
    var frames: Int { counts.withLock { $0.frames } }
    var breaks: Int { counts.withLock { $0.breaks } }
    var ends: Int { counts.withLock { $0.ends } }

    func connection(_ connection: CaptureConnection, didReceive frame: CapturedFrame) {
      counts.withLock { $0.frames += 1 }
    }
    func connection(_ connection: CaptureConnection, didDrop frame: DroppedFrame) {
      if frame.reason == .discontinuity { counts.withLock { $0.breaks += 1 } }
    }
    func connection(_ connection: CaptureConnection, didEndWith error: CaptureError?) {
      counts.withLock { $0.ends += 1 }
    }
  }

  private struct Rig {
    let clock = ManualClock()
    let session = CaptureSession()
    let counter = Counter()

    init(_ kernel: FakeKernel) throws {
      let nowhere = DeviceRoots(dev: "/none", sys: "/none", proc: "/none")
      let backend = Video4LinuxBackend(kernel: kernel, roots: nowhere)
      let device = try CaptureEnvironment(backends: [backend], clock: clock).run { () throws in
        try CaptureDevice(path: "/dev/video0")
      }
      try session.add(CaptureDeviceInput(device: device))
      try session.add(counter)
    }

    /// Lets time pass until something is so.
    func pass(until isSo: () -> Bool) async {
      while !isSo() {
        clock.advance(by: .milliseconds(10))
        await Task.yield()
      }
    }

    func runs(since count: Int) -> Bool { counter.frames > count + 5 }
  }

  private static var videoDevice: FakeDevice {
    var device = FakeDevice.raw
    device.hasEvents = true
    return device
  }

  static let calls: [FakeCall] = [
    .open, .queryCapability, .setFormat, .getParameters, .setParameters, .subscribeEvent,
    .requestBuffers, .queryBuffer, .mmap, .queueBuffer, .streamOn, .dequeueBuffer, .poll,
    .streamOff, .dequeueEvent, .getControl, .enumerateInputs, .getInput,
  ]
  static let errors: [Errno] = [
    .inputOutput, .protocolError, .brokenPipe, .noSpace, .busy, .again, .invalidArgument,
    .noMemory, .timedOut, .noDevice,
  ]

  /// The stream breaks off, and the calls that are to bring it back fail, too.
  @Test(arguments: calls, errors)
  func endsOrGoesOnWhateverFailsMeanwhile(call: FakeCall, errno: Errno) async throws {
    let kernel = FakeKernel(Self.videoDevice)
    let rig = try Rig(kernel)
    try await rig.session.start()
    await rig.pass { rig.counter.frames > 2 }

    let before = rig.counter.frames
    kernel.add(.times(2, call, errno, at: kernel.count(call) + (call == .poll ? 3 : 0)))
    kernel.add(.once(.dequeueBuffer, .brokenPipe, at: kernel.count(.dequeueBuffer) + 2))
    await rig.pass { rig.runs(since: before) || rig.counter.ends > 0 }

    await rig.session.stop()
    #expect(rig.counter.ends == 1)
    await expectNothingLeftSoon(of: kernel)
  }

  @Test(arguments: [
    (FakeCall.dequeueBuffer, Errno.brokenPipe), (.dequeueBuffer, .protocolError),
    (.dequeueBuffer, .invalidArgument), (.poll, .noMemory),
  ])
  func restartsAStreamThatBreaksOff(call: FakeCall, errno: Errno) async throws {
    let kernel = FakeKernel(Self.videoDevice)
    let rig = try Rig(kernel)
    try await rig.session.start()
    await rig.pass { rig.counter.frames > 2 }
    let before = rig.counter.frames

    kernel.add(.once(call, errno, at: kernel.count(call) + 1))
    await rig.pass { rig.counter.breaks == 1 && rig.runs(since: before) }

    #expect(rig.session.statistics.restarts == 1 && rig.session.statistics.reopens == 0)
    #expect(rig.session.state == .running)
    await rig.session.stop()
    await expectNothingLeftSoon(of: kernel)
  }

  @Test func countsWhatTheDriverLostAndGoesOn() async throws {
    var device = Self.videoDevice
    device.frames = [
      FakeFrame(), FakeFrame(isDropped: true), FakeFrame(), FakeFrame(isDropped: true),
    ]
    let kernel = FakeKernel(device)
    let rig = try Rig(kernel)
    try await rig.session.start()
    await rig.pass { rig.counter.frames > 6 }

    #expect(rig.session.statistics.retries == 2 && rig.session.statistics.restarts == 0)
    await rig.session.stop()
  }

  @Test func renegotiatesWhenTheSourceChanges() async throws {
    let kernel = FakeKernel(Self.videoDevice)
    let rig = try Rig(kernel)
    try await rig.session.start()
    await rig.pass { rig.counter.frames > 2 }
    let before = rig.counter.frames

    kernel.changeSource()
    await rig.pass { rig.counter.breaks == 1 && rig.runs(since: before) }

    #expect(kernel.count(.setFormat) == 2)
    #expect(rig.session.statistics.restarts == 1 && rig.session.statistics.stalls == 0)
    await rig.session.stop()
  }

  @Test func waitsWhileTheShutterIsClosed() async throws {
    let kernel = FakeKernel(Self.videoDevice)
    let rig = try Rig(kernel)
    try await rig.session.start()
    await rig.pass { rig.counter.frames > 2 }

    kernel.setShutter(isClosed: true)
    await rig.pass { rig.session.isInterrupted }
    #expect(rig.session.state == .interrupted([.privacyShutter]))
    await rig.pass { !kernel.isStreaming }
    let before = rig.counter.frames
    kernel.setShutter(isClosed: false)
    await rig.pass { rig.runs(since: before) }

    #expect(rig.session.statistics.interruptions == 1)
    await rig.session.stop()
    await expectNothingLeftSoon(of: kernel)
  }

  @Test func goesOnWhenTheOtherProgramLetsGo() async throws {
    let kernel = FakeKernel(Self.videoDevice)
    let rig = try Rig(kernel)
    let busy = 6
    kernel.add(.times(busy, .requestBuffers, .busy))

    rig.session.startRunning()
    #expect(rig.session.state == .interrupted([.videoDeviceInUseByAnotherClient]))
    await rig.pass { rig.counter.frames > 2 }

    // Each try asked once.
    #expect(kernel.count(.requestBuffers) == busy + 1)
    await rig.session.stop()
    await expectNothingLeftSoon(of: kernel)
  }
}
