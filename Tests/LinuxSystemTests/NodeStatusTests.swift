import LinuxSystem
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct NodeStatusTests {
  @Test func tellsADeviceFromAFile() throws {
    let folder = try TemporaryFolder()

    #expect(try NodeStatus(ofNode: "/dev/null").isCharacterDevice)
    #expect(try !NodeStatus(ofNode: folder.file("video0")).isCharacterDevice)
    #expect(throws: Errno.noEntry) { try NodeStatus(ofNode: folder.path + "/video1") }
  }

  @Test func knowsTheGroupsName() {
    #expect(NodeStatus.groupName(of: 0) == "root")
    #expect(NodeStatus.groupName(of: 4_000_000_000) == nil)
  }
}
