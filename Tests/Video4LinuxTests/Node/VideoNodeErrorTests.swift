import LinuxSystem
import TestSupport
import Testing

@testable import Video4Linux

@Suite(.timeLimit(.minutes(1)))
struct VideoNodeErrorTests {
  private let nowhere = DeviceRoots(dev: "/none", sys: "/none", proc: "/none")

  @Test(
    arguments: [
      (.noEntry, .open, .noDevice), (.noDevice, .open, .noDevice),
      (.noSuchDeviceOrAddress, .open, .noDevice), (.accessDenied, .open, .notPermitted),
      (.notPermitted, .open, .notPermitted), (.busy, .open, .inUse), (.busy, .format, .inUse),
      (.busy, .buffers, .inUse), (.busy, .streamOn, .inUse),
      (.tooManyOpenFiles, .open, .tooManyOpenFiles), (.fileTableOverflow, .open, .tooManyOpenFiles),
      (.noDevice, .describe, .disconnected), (.noDevice, .format, .disconnected),
      (.noDevice, .stream, .disconnected), (.noMemory, .buffers, .outOfMemory),
      (.noSpace, .streamOn, .usbBandwidth), (.linkSevered, .streamOn, .noSignal),
      (.brokenPipe, .streamOn, .unsupportedFormat), (.invalidArgument, .format, .unsupportedFormat),
      (.invalidArgument, .streamOn, .streamingFailed), (.inputOutput, .streamOn, .streamingFailed),
      (.again, .watchControls, .controlFailed), (.noDevice, .watchControls, .disconnected),
      (.tooManyOpenFiles, .watchControls, .tooManyOpenFiles),
      (.inputOutput, .stream, .streamingFailed), (.protocolError, .stream, .streamingFailed),
    ] as [(Errno, VideoNodeTask, VideoNodeError.Code)])
  func saysWhatANumberMeans(errno: Errno, task: VideoNodeTask, code: VideoNodeError.Code) {
    let error = VideoNodeError(errno, during: task, path: "/dev/video7", roots: nowhere)

    #expect(error.code == code)
    #expect(error.errno == errno)
    #expect(error.path == "/dev/video7")
    #expect(error.description.contains("/dev/video7"))
    #expect(error.description.hasSuffix("."))
  }

  @Test func saysHowToMakeRoomOnTheBus() {
    let text = VideoNodeError(
      .noSpace, during: .streamOn, path: "/dev/video0", roots: nowhere
    ).description
    #expect(text.contains("MJPG"))
    #expect(text.contains("quirks=128"))
  }

  @Test func namesWhoUsesTheCamera() throws {
    let folder = try TemporaryFolder()
    let node = folder.file("dev/video0")
    folder.file("proc/4711/comm", "cheese\n")
    folder.link("proc/4711/fd/5", to: node)
    let roots = DeviceRoots(dev: folder.path + "/dev", proc: folder.path + "/proc")

    let text = VideoNodeError(.busy, during: .format, path: node, roots: roots).description

    #expect(text.contains("cheese (process 4711)"))
    #expect(!text.contains("cannot be seen"))
  }

  @Test func saysWhenItCannotSeeWhoUsesTheCamera() {
    let error = VideoNodeError(.busy, during: .format, path: "/dev/video0", roots: nowhere)
    #expect(error.description.contains("cannot be seen"))
  }

  @Test func refusesAFileThatIsNoDevice() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("video0")
    let kernel = FakeKernel([path: FakeDevice()])

    #expect(code { _ = try VideoNode(path: path, kernel: kernel) } == .notACamera)
    #expect(kernel.count(.open) == 0)
  }

  @Test func refusesADeviceThatIsNoVideoDevice() {
    #expect(code { _ = try VideoNode(path: "/dev/null") } == .notACamera)
  }

  @Test func refusesANeighbouringNode() throws {
    var device = FakeDevice()
    device.flags = [.metadataCapture, .streaming]
    let kernel = FakeKernel(device)

    let error = error { _ = try VideoNode(path: "/dev/video0", kernel: kernel) }

    #expect(error?.code == .notACamera)
    #expect(error?.description.contains("metadata") == true)
    #expect(kernel.openCount == 0)
  }

  @Test func readsOldDriversCapabilities() throws {
    var device = FakeDevice()
    device.allFlags = [.videoCapture, .streaming]
    device.flags = []
    _ = try VideoNode(path: "/dev/video0", kernel: FakeKernel(device))
  }
}
