import CaptureKitLinux
import CaptureKitMocks
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1)))
struct AuthorizationTests {
  private final class Gatekeeper: CaptureBackend {
    /// By name; nil where nothing keeps anybody out.
    let cameras: [(name: String, status: CaptureDevice.AuthorizationStatus)]
    let reason: String?

    init(_ cameras: (String, CaptureDevice.AuthorizationStatus)..., reason: String? = nil) {
      self.cameras = cameras.map { (name: $0.0, status: $0.1) }
      self.reason = reason
    }

    func devices() async throws -> [CaptureDeviceDescription] {
      cameras.map { camera in
        var description = CaptureDeviceDescription(
          uniqueID: camera.name, localizedName: camera.name)
        description.authorization = camera.status
        return description
      }
    }

    func open(_ device: CaptureDeviceDescription) throws -> any CaptureStream {
      throw CaptureError.noDevice
    }

    func authorizationFailure(of device: CaptureDeviceDescription?) -> CaptureError? {
      reason.map { CaptureError(.notPermitted, $0 + (device.map { ": \($0.uniqueID)" } ?? "")) }
    }
  }

  private func expect(
    _ status: CaptureDevice.AuthorizationStatus, _ sentence: String?, _ backend: Gatekeeper,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    await CaptureEnvironment(backends: [backend]).run {
      let isAllowed = status == .authorized
      let here = sourceLocation
      #expect(CaptureDevice.authorizationStatus(for: .video) == status, sourceLocation: here)
      let failure = CaptureDevice.authorizationFailure(for: .video)
      #expect(failure?.description == sentence, sourceLocation: here)
      #expect(failure.map { $0.code == .notPermitted } ?? true, sourceLocation: here)
      #expect(await CaptureDevice.requestAccess(for: .video) == isAllowed, sourceLocation: here)
      let answer = await withCheckedContinuation { continuation in
        CaptureDevice.requestAccess(for: .video) { continuation.resume(returning: $0) }
      }
      #expect(answer == isAllowed, sourceLocation: here)
      var thrown: String?
      do { try await CaptureDevice.requireAccess(for: .video) } catch { thrown = "\(error)" }
      #expect(thrown == sentence, sourceLocation: here)
    }
  }

  @Test func isGrantedWhereNothingForbidsIt() async {
    await expect(.authorized, nil, Gatekeeper())
    await expect(.authorized, nil, Gatekeeper(("a", .authorized)))
  }

  @Test func isGrantedWhereOneCameraMayBeOpened() async {
    await expect(
      .authorized, nil, Gatekeeper(("a", .denied), ("b", .authorized), reason: "Join the group"))
  }

  @Test func namesTheReasonOfTheCameraThatIsDenied() async {
    await expect(
      .denied, "Join the group: b",
      Gatekeeper(("a", .restricted), ("b", .denied), reason: "Join the group"))
  }

  @Test func tellsHiddenCamerasFromNone() async {
    await expect(.restricted, "This is a sandbox.", Gatekeeper(reason: "This is a sandbox."))
  }

  @Test func believesThatACameraIsAllowedByNow() async {
    await expect(.authorized, nil, Gatekeeper(("a", .denied)))
  }

  @Test func isOfVideoOnly() async {
    #expect(CaptureDevice.authorizationStatus(for: .audio) == .restricted)
    #expect(CaptureDevice.authorizationFailure(for: .audio)?.code == .notPermitted)
    #expect(await !CaptureDevice.requestAccess(for: .audio))
  }

  @Test func givesADeniedCamerasReasonWhereItIsUsed() async throws {
    let backend = Gatekeeper(("a", .denied), reason: "Join the group")
    let device = try #require(
      try await CaptureEnvironment(backends: [backend]).devices().first)
    #expect(device.authorizationFailure?.description == "Join the group: a")
    #expect { try CaptureDeviceInput(device: device) } throws: { "\($0)" == "Join the group: a" }
  }

  @Test func namesTheCameraWhereABackendHasNoReason() async throws {
    let camera = MockCamera(name: "Booth")
    camera.script = [.noPermission]
    CaptureEnvironment(backends: [MockBackend(cameras: [camera])]).run {
      let sentence = CaptureDevice.authorizationFailure(for: .video)?.description
      #expect(sentence == "This user may not open Booth.")
    }
  }
}
