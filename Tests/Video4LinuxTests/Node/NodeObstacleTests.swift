import LinuxSystem
import TestSupport
import Testing
import Video4Linux

/// Cameras that the kernel has and this program cannot reach.
@Suite(.timeLimit(.minutes(1)))
struct NodeObstacleTests {
  private let sysfs: FakeSysfs

  init() throws { sysfs = try FakeSysfs() }

  private var roots: DeviceRoots {
    var roots = sysfs.roots
    roots.root = sysfs.folder.path + "/root"
    roots.run = roots.root + "/run"
    return roots
  }

  private var obstacle: VideoNodeError? {
    NodeScanner(kernel: FakeKernel([:]), roots: roots).obstacle()
  }

  @Test func isNoneWithoutCameras() {
    #expect(obstacle == nil)
  }

  @Test func isNoneWhereOneOfTheNodesIsThere() {
    sysfs.addUSB(port: "1-1", nodes: [0, 1])
    sysfs.folder.file("dev/video1")
    #expect(obstacle == nil)
  }

  @Test func namesTheNodeThatIsMissing() throws {
    sysfs.addUSB(port: "1-1", nodes: [3, 4])
    let error = try #require(obstacle)
    #expect(error.code == .notPermitted)
    #expect("\(error)".contains("“Lab Camera: Lab Camera”"))
    #expect("\(error)".contains(roots.dev + "/video3: "))
    #expect("\(error)".contains("udev"))
  }

  @Test(arguments: [
    (".flatpak-info", "[Application]\nname=org.example.Booth\n", "flatpak override"),
    ("run/.containerenv", "", "--device /dev/video0"),
  ])
  func saysHowASandboxLetsCamerasIn(file: String, text: String, advice: String) throws {
    sysfs.addUSB(port: "1-1", nodes: [0])
    sysfs.folder.file("root/" + file, text)
    #expect("\(try #require(obstacle))".contains(advice))
  }

  @Test func saysThatASandboxKeepsANodeShut() {
    sysfs.folder.file("root/.dockerenv")
    let kernel = FakeKernel(
      ["/dev/video0": FakeDevice()], faults: [.every(.open, .notPermitted)])
    let error = error {
      _ = try VideoNode(path: "/dev/video0", kernel: kernel, roots: roots)
    }
    #expect(error?.code == .notPermitted)
    #expect(error.map { "\($0)".contains("container") } == true)
  }

  /// The mode of `/dev/null` lets everybody in, so it cannot be what keeps somebody out.
  @Test func blamesNotTheModeWhereItLetsTheProcessIn() {
    let kernel = FakeKernel(["/dev/null": FakeDevice()], faults: [.every(.open, .accessDenied)])
    let error = error { _ = try VideoNode(path: "/dev/null", kernel: kernel, roots: roots) }
    #expect(error.map { "\($0)".contains("security module") } == true)
  }
}
