import CaptureKitLinux
import LinuxSystem
import Testing
import Video4Linux

/// The controls of the kernel's cameras, from the device's side.
@Suite(.timeLimit(.minutes(1)))
struct KernelControlsTests {
  private static var webcam: FakeDevice {
    var device = FakeDevice.raw
    device.controlModels = [
      .heading, .gain, .exposureMode, .exposureTime,
      FakeControl(id: 0x009a_0910, type: .boolean, name: "Privacy", maximum: 1, flags: 4),
      FakeControl(id: 0x0098_f907, type: ControlType(rawValue: 0x0100), dimensions: 1),
    ]
    return device
  }

  private func device(_ kernel: FakeKernel) async throws -> CaptureDevice {
    try await KernelStudio(kernel).device
  }

  @Test func translatesWhatTheDriverSays() async throws {
    let device = try await device(FakeKernel(Self.webcam))
    let controls = try device.loadControls()
    #expect(controls.map(\.kind) == [.integer, .compound, .menu, .integer, .boolean])
    #expect(device.control(.automaticExposure)?.menu.map(\.index) == [1, 3])
    #expect(device.control(.exposureTime)?.flags == .inactive)
    #expect(device.control(.privacy)?.isWritable == false)
    #expect(
      try device.values() == [
        .gain: 10, .automaticExposure: 3, .exposureTime: 156, .privacy: 0,
      ])
  }

  @Test func setsInTheOrderThatTheDriverNeeds() async throws {
    let kernel = FakeKernel(Self.webcam)
    let device = try await device(kernel)
    try device.lockForConfiguration()
    try device.setExposureModeCustom(duration: .milliseconds(5), iso: 70)
    #expect(kernel.device()?.controlWrites.map(\.id) == [0x009a_0901, 0x009a_0902, 0x0098_0913])
    #expect(kernel.device()?.controlWrites.map(\.value) == [1, 50, 70])
    #expect(device.exposureDuration == .milliseconds(5))
  }

  @Test func opensTheCameraOnceForChangesInARowAndLetsItGo() async throws {
    let kernel = FakeKernel(Self.webcam)
    let device = try await device(kernel)
    let before = (opens: kernel.count(.open), open: kernel.openCount)
    try device.lockForConfiguration()
    for gain in 1...5 { try device.setValue(.integer(Int64(gain)), for: .gain) }
    #expect(kernel.count(.open) == before.opens + 1)
    device.unlockForConfiguration()
    #expect(kernel.openCount == before.open)

    _ = device.controls
    #expect(kernel.openCount == before.open)
    #expect(kernel.violations == [])
  }

  @Test func setsWhileTheCameraStreams() async throws {
    let kernel = FakeKernel(Self.webcam)
    let studio = try await KernelStudio(kernel)
    try await studio.session.start()
    try studio.device.lockForConfiguration()
    try studio.device.setValue(20, for: .gain)
    studio.device.unlockForConfiguration()
    #expect(try studio.device.value(of: .gain) == 20)
    #expect(kernel.isStreaming)
    await studio.session.stop()
  }

  @Test func tellsOfChangesUntilNobodyListens() async throws {
    let kernel = FakeKernel(Self.webcam)
    let device = try await device(kernel)
    let before = kernel.openCount
    var changes: AsyncStream<CaptureControlChange>? = try device.controlChanges()
    var iterator = changes?.makeAsyncIterator()
    kernel.changeControl(0x009a_0910, to: 1)
    let change = await iterator?.next()
    #expect(change?.id == .privacy)
    #expect(change?.value?.isOn == true)

    (changes, iterator) = (nil, nil)
    while kernel.openCount > before { await Task.yield() }
    #expect(kernel.violations == [])
  }

  @Test func saysThatTheCameraIsGone() async throws {
    let kernel = FakeKernel(Self.webcam)
    let device = try await device(kernel)
    try device.lockForConfiguration()
    try device.setValue(20, for: .gain)
    kernel.vanish()
    let error = #expect(throws: CaptureError.self) { try device.setValue(21, for: .gain) }
    #expect(error?.code == .disconnected)
  }

  /// Each call of a change fails once in each way: an error that says which control, or success.
  @Test(
    arguments: [
      FakeCall.queryExtendedControl, .queryMenu, .getExtendedControls, .setExtendedControls,
    ], [Errno.brokenPipe, .inputOutput, .busy, .accessDenied, .noDevice, .invalidArgument])
  func survivesAnyFailure(call: FakeCall, errno: Errno) async throws {
    for occurrence in 0..<6 {
      let kernel = FakeKernel(Self.webcam, faults: [.once(call, errno, at: occurrence)])
      let device = try await device(kernel)
      try device.lockForConfiguration()
      do {
        try device.setValue(50, for: .exposureTime)
        #expect(kernel.device()?.controlModels[3].value == 50)
      } catch let error as CaptureError {
        #expect(!"\(error)".isEmpty)
      }
      device.unlockForConfiguration()
      #expect(kernel.violations == [])
    }
  }
}
