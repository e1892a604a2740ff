import CaptureKitLinux
import CaptureKitMocks
import Testing

@Suite(.timeLimit(.minutes(1)))
struct DiscoveryTests {
  struct BrokenBackend: CaptureBackend {
    func devices() async throws -> [CaptureDeviceDescription] {
      throw CaptureError(.backendFailed, "The doorbells do not answer.")
    }

    func open(_ device: CaptureDeviceDescription) throws -> any CaptureStream {
      throw CaptureError.noDevice
    }
  }

  static func environment(_ cameras: MockCamera...) -> CaptureEnvironment {
    CaptureEnvironment(backends: [MockBackend(cameras: cameras)])
  }

  @Test func findsTheCamerasOfTheEnvironment() throws {
    let camera = MockCamera(name: "Booth", position: .front)

    Self.environment(camera).run {
      let device = CaptureDevice.default(for: .video)
      #expect(device?.localizedName == "Booth")
      #expect(device?.position == .front)
      #expect(CaptureDevice.default(for: .audio) == nil)
      let session = CaptureDevice.DiscoverySession(
        deviceTypes: [.builtInWideAngleCamera], mediaType: .video, position: .front)
      #expect(session.devices.map(\.localizedName) == ["Booth"])
      #expect(CaptureDevice.authorizationStatus(for: .video) == .authorized)
    }
  }

  @Test func reachesChildTasksButNotOthers() async throws {
    let environment = Self.environment(MockCamera(name: "Booth"))

    await environment.run {
      async let child = CaptureEnvironment.current
      #expect(await child === environment)
    }
    #expect(CaptureEnvironment.current !== environment)
  }

  @Test func hasNothingWhereThereIsNothing() throws {
    Self.environment().run {
      #expect(CaptureDevice.default(for: .video) == nil)
      #expect(CaptureDevice.authorizationStatus(for: .video) == .authorized)
    }
  }

  @Test func goesOnWithoutABackendThatFails() async throws {
    let environment = CaptureEnvironment(backends: [
      BrokenBackend(), MockBackend(cameras: [MockCamera(name: "Booth")]),
    ])

    #expect(try await environment.devices().map(\.localizedName) == ["Booth"])
  }

  @Test func saysWhyNoBackendAnswers() async {
    let environment = CaptureEnvironment(backends: [BrokenBackend()])

    await #expect { try await environment.devices() } throws: {
      "\($0)" == "The doorbells do not answer."
    }
  }

  @Test func isOneObjectForOneStayOfTheCamera() async throws {
    let camera = MockCamera()
    let environment = Self.environment(camera)
    let first = try #require(try await environment.devices().first)
    #expect(try await environment.devices().first === first)
    let session = CaptureSession()
    try session.add(try CaptureDeviceInput(device: first))
    let end = NotificationProbe(CaptureSession.didStopRunningNotification, of: session)
    try await session.start()

    camera.unplug()
    _ = await end.first
    #expect(try await environment.devices().isEmpty)
    camera.replug()

    let second = try #require(try await environment.devices().first)
    #expect(second !== first && second.uniqueID == first.uniqueID)
    #expect(!first.isConnected && second.isConnected)
    #expect(throws: CaptureError.self) { try CaptureDeviceInput(device: first) }
  }

  @Test func tellsDeniedFromAbsent() async throws {
    let camera = MockCamera()
    camera.script = [.noPermission]

    try await Self.environment(camera).run {
      #expect(CaptureDevice.authorizationStatus(for: .video) == .denied)
      #expect(await !CaptureDevice.requestAccess(for: .video))
      let device = try #require(CaptureDevice.default(for: .video))
      #expect { try CaptureDeviceInput(device: device) } throws: {
        ($0 as? CaptureError)?.code == .notPermitted
      }
    }
  }

  @Test func prefersACameraThatMayBeOpened() {
    let (forbidden, allowed) = (MockCamera(name: "A"), MockCamera(name: "B"))
    forbidden.script = [.noPermission]

    Self.environment(forbidden, allowed).run {
      #expect(CaptureDevice.default(for: .video)?.localizedName == "B")
      #expect(CaptureDevice.authorizationStatus(for: .video) == .authorized)
    }
  }

  @Test func findsACameraByItsIDWithAndWithoutAPort() {
    let camera = MockCamera(uniqueID: "usb-046d:0825-SN0001@1-1.2")

    Self.environment(camera).run {
      #expect(CaptureDevice.device(withUniqueID: "usb-046d:0825-SN0001@1-1.2") != nil)
      #expect(CaptureDevice.device(withUniqueID: "usb-046d:0825-SN0001") != nil)
      #expect(CaptureDevice.device(withUniqueID: "usb-046d:0825-SN") == nil)
    }
  }

  @Test func findsACameraByAPath() throws {
    let camera = MockCamera(uniqueID: "doorbell")

    try Self.environment(camera).run {
      let device = try CaptureDevice(path: "doorbell")
      #expect(device.uniqueID == "doorbell")
      #expect { try CaptureDevice(path: "/dev/nothing") } throws: {
        ($0 as? CaptureError)?.code == .noDevice
      }
    }
  }

  /// More synchronous look-ups at once than there are threads for tasks.
  @Test func doesNotStarveTheTasksThatWaitForIt() async {
    let environment = Self.environment(MockCamera())

    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<64 {
        group.addTask { environment.run { CaptureDevice.default(for: .video) != nil } }
      }
      for await isFound in group { #expect(isFound) }
    }
  }
}
