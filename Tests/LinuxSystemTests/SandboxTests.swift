import LinuxSystem
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct SandboxTests {
  private let folder: TemporaryFolder
  private var roots: DeviceRoots { DeviceRoots(run: folder.path + "/run", root: folder.path) }

  init() throws { folder = try TemporaryFolder() }

  private func sandbox(_ variables: [String: String] = [:]) -> Sandbox? {
    Sandbox(roots: roots) { variables[$0] }
  }

  @Test func isNoneOnAPlainMachine() {
    #expect(sandbox() == nil)
    #expect(sandbox(["SNAP_NAME": "booth"]) == nil)
  }

  @Test func knowsFlatpakAndItsApplication() {
    folder.file(".flatpak-info", "[Application]\nname=org.example.Booth\nruntime=x\n")
    #expect(sandbox() == .flatpak("org.example.Booth"))
    #expect(sandbox()?.advice.contains("--device=all org.example.Booth") == true)
  }

  @Test func knowsASnapByItsVariables() {
    let sandbox = sandbox(["SNAP": "/snap/booth/1", "SNAP_NAME": "booth"])
    #expect(sandbox == .snap("booth"))
    #expect(sandbox?.advice.contains("snap connect booth:camera") == true)
  }

  @Test(arguments: ["run/.containerenv", ".dockerenv", "run/systemd/container"])
  func knowsAContainerByItsMark(name: String) {
    folder.file(name)
    #expect(sandbox() == .container)
    #expect(sandbox()?.advice.contains("--device") == true)
  }

  @Test func knowsAContainerByItsVariable() {
    #expect(sandbox(["container": "podman"]) == .container)
  }
}
