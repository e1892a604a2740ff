import CaptureKitLinux
import Testing

/// The controls of a webcam behind the kernel's own driver.
@Suite(.inLab(.usb), .timeLimit(.minutes(2)))
struct USBControlLabTests {
  private func device() throws -> CaptureDevice {
    try #require(CaptureDevice.default(for: .video))
  }

  /// The device that comes when the camera is plugged in anew.
  private func replugged(_ camera: LabCamera) async throws -> CaptureDevice {
    let before = try device()
    let plugs = camera.occurrences(of: "plug port")
    try await camera.tell("replug 0.5")
    try await until("the camera is back") { camera.occurrences(of: "plug port") > plugs }
    var found: CaptureDevice?
    try await until("the camera is listed") {
      found = CaptureDevice.default(for: .video)
      return found !== before && found?.controls.isEmpty == false
    }
    return try #require(found)
  }

  /// Runs with the device locked, and leaves its settings as they were.
  private func withLock(_ body: (CaptureDevice) async throws -> Void) async throws {
    let device = try device()
    try device.lockForConfiguration()
    defer { device.unlockForConfiguration() }
    let before = try device.controlProfile()
    try await body(device)
    #expect(try device.apply(before).isEmpty)
  }

  @Test func listsWhatTheCameraHas() throws {
    let device = try device()
    let exposure = try #require(device.control(.automaticExposure))
    // Two of four items: the holes do not end the list.
    #expect(exposure.menu.map(\.index) == [1, 3])
    #expect(device.control(.exposureTime)?.range == 1...10_000)
    #expect(device.control(.exposureTime)?.flags.contains(.inactive) == true)
    #expect(device.control(.whiteBalanceTemperature)?.step == 10)
    #expect(device.exposureMode == .continuousAutoExposure)
    #expect(device.maxAvailableVideoZoomFactor == 4)
    #expect(device.controls.count >= 14)
    #expect(try device.values().count >= 14)
  }

  @Test func switchesTheAutomaticOnesOffFirst() async throws {
    try await withLock { device in
      try device.setExposureModeCustom(duration: .milliseconds(20), iso: 30)
      try device.setFocusModeLocked(lensPosition: 0.5)
      try device.setWhiteBalanceModeLocked(temperature: 3000)

      #expect(device.exposureMode == .custom)
      #expect(device.exposureDuration == .milliseconds(20))
      #expect(device.iso == 30)
      #expect(device.lensPosition == 0.5)
      #expect(device.whiteBalanceTemperature == 3000)
      device.exposureMode = .continuousAutoExposure
      device.focusMode = .continuousAutoFocus
      device.whiteBalanceMode = .continuousAutoWhiteBalance
      #expect(device.lastError == nil)
      #expect(device.control(.exposureTime)?.flags.contains(.inactive) == true)
    }
  }

  @Test func setsControlsOfACameraThatStreams() async throws {
    let studio = try LabStudio()
    try await studio.session.start()
    try studio.device.lockForConfiguration()
    try studio.device.setValue(12, for: .brightness)
    #expect(try studio.device.value(of: .brightness) == 12)
    #expect(LabCamera().log.contains("set brightness 12"))
    try studio.device.setValue(0, for: .brightness)
    studio.device.unlockForConfiguration()
    #expect(try await studio.photo().fileDataRepresentation() != nil)
    await studio.session.stop()
  }

  @Test func goesOnWhereTheFirmwareStalls() async throws {
    let camera = LabCamera()
    // What the kernel has asked for before it remembers, but for what changes by itself.
    try await camera.tell("stallctl gain+ae_mode")
    let device = try device()
    let values = try device.values()
    #expect(values[.gain] == nil)
    #expect(values[.brightness] != nil && values[.zoom] != nil)
    let error = #expect(throws: CaptureError.self) { try device.value(of: .gain) }
    #expect(error?.code == .controlFailed)
    #expect("\(error.map { "\($0)" } ?? "")".contains("Gain"))
    try await camera.tell("stallctl none")
    #expect(try device.value(of: .gain).number != nil)
  }

  @Test func listsTheOthersWhereTheFirmwareStallsFromTheStart() async throws {
    let camera = LabCamera()
    // The kernel has forgotten what it knew of the camera, and asks it for the automatic exposure
    // to describe the exposure time.
    try await camera.tell("stallctl ae_mode")
    let device = try await replugged(camera)
    let ids = Set(device.controls.map(\.id))
    #expect(camera.log.contains("STALL get ae_mode"))
    #expect(ids.isSuperset(of: [.automaticExposure, .brightness, .gain, .sharpness, .zoom]))
    #expect(!ids.contains(.exposureTime))
    #expect(try device.values()[.automaticExposure] == nil)
    try await camera.tell("stallctl none")
    #expect(device.control(.exposureTime)?.range == 1...10_000)
    #expect(try device.value(of: .automaticExposure).number != nil)
  }

  @Test func saysWhatTheCameraRefuses() async throws {
    let camera = LabCamera()
    let device = try device()
    try device.lockForConfiguration()
    defer { device.unlockForConfiguration() }
    for (command, code) in [
      ("stallctl sharpness", CaptureError.Code.controlFailed),
      ("stallctl sharpness:1", .controlNotWritable), ("stallctl sharpness:4", .invalidControlValue),
    ] {
      try await camera.tell(command)
      let error = #expect(throws: CaptureError.self) { try device.setValue(5, for: .sharpness) }
      #expect(error?.code == code, "\(command): \(error.map { "\($0)" } ?? "nothing")")
    }
    try await camera.tell("stallctl none")
    try device.setValue(3, for: .sharpness)
  }

  @Test func tellsWhatTheCameraChangesByItself() async throws {
    let camera = LabCamera()
    let device = try device()
    var changes = try device.controlChanges().makeAsyncIterator()
    // Events arrive at an open node whose controls were read once.
    _ = try device.values()
    try await camera.tell("set gain 42")
    var change = await changes.next()
    while change?.id != .gain { change = await changes.next() }
    #expect(change?.value == 42)
    #expect(try device.value(of: .gain) == 42)
    try await camera.tell("set gain 10")
    while change?.value != 10 { change = await changes.next() }
  }

  @Test func leavesNothingOfAnEndedWatch() async throws {
    let device = try device()
    _ = try device.values()
    let before = try await Belongings.atRest()
    var changes = try device.controlChanges() as AsyncStream<CaptureControlChange>?
    try await until("somebody watches") { try Belongings.now().threads == ["camera controls"] }
    #expect(try Belongings.now().cameras > before.cameras)
    #expect(changes != nil)
    changes = nil
    try await Belongings.areNoMore(than: before)
  }

  @Test func appliesAProfileAfterAReplug() async throws {
    let camera = LabCamera()
    let before = try device()
    let usual = try before.controlProfile()
    try before.lockForConfiguration()
    try before.setExposureModeCustom(duration: .milliseconds(10), iso: 20)
    try before.setValue(-20, for: .brightness)
    let profile = try before.controlProfile()
    before.unlockForConfiguration()

    let after = try await replugged(camera)
    try after.lockForConfiguration()
    defer { after.unlockForConfiguration() }
    #expect(try after.apply(profile).isEmpty)
    #expect(after.exposureDuration == .milliseconds(10))
    #expect(try after.value(of: .brightness) == -20)
    #expect(try after.controlProfile() == profile)
    _ = try after.apply(usual)
    after.exposureMode = .continuousAutoExposure
  }
}
