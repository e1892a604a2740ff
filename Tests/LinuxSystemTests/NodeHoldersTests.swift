import LinuxSystem
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct NodeHoldersTests {
  private let folder: TemporaryFolder
  private let node: String
  private var roots: DeviceRoots { DeviceRoots(proc: folder.path + "/proc") }

  init() throws {
    folder = try TemporaryFolder()
    node = folder.file("dev/video0")
    process(100, "cheese", descriptors: ["/dev/null", node])
    process(200, "bash", descriptors: ["/dev/null", "/dev/pts/0"])
    process(300, "me", descriptors: ["/dev/null", node, node])
    process(1000, "obs", descriptors: [node])
    folder.file("proc/uptime", "1 2")
  }

  private func process(_ identifier: Int, _ name: String, descriptors: [String]) {
    folder.file("proc/\(identifier)/comm", name + "\n")
    for (number, target) in descriptors.enumerated() {
      folder.link("proc/\(identifier)/fd/\(number)", to: target)
    }
  }

  @Test func namesTheOthersAndNotItself() {
    let holders = NodeHolders(ofNode: node, roots: roots, ownIdentifier: 300)

    #expect(holders.processes.map(\.identifier) == [100, 1000])
    #expect(holders.processes.map(\.name) == ["cheese", "obs"])
    #expect(holders.ownDescriptorCount == 2)
    #expect(!holders.isBlind)
  }

  @Test func followsALinkToTheNode() {
    folder.link("dev/by-id/camera", to: "../video0")
    let holders = NodeHolders(
      ofNode: folder.path + "/dev/by-id/camera", roots: roots, ownIdentifier: 300)
    #expect(holders.processes.count == 2)
  }

  @Test(arguments: [(Errno.accessDenied, true), (.notPermitted, true), (.noEntry, false)])
  func saysWhenItIsBlind(errno: Errno, isBlind: Bool) {
    let holders = NodeHolders(
      ofNode: node, roots: roots, ownIdentifier: 300,
      contents: { path throws(Errno) in
        if path.contains("/200/") { throw errno }
        return try FileTree.contents(of: path)
      })

    #expect(holders.processes.count == 2)
    #expect(holders.isBlind == isBlind)
  }

  @Test func isBlindWithoutProc() {
    let holders = NodeHolders(ofNode: node, roots: DeviceRoots(proc: folder.path + "/none"))
    #expect(holders.isBlind)
    #expect(holders.processes.isEmpty)
  }
}
