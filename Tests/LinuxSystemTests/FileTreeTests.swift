import LinuxSystem
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct FileTreeTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: [
    ("046d\n", "046d"), ("  Lab Camera \n\n", "Lab Camera"), ("", ""), ("\n", ""),
    ("a\nb\n", "a\nb"),
  ])
  func readsATextWithoutTheBlanksAroundIt(contents: String, text: String) {
    #expect(FileTree.text(at: folder.file("name", contents)) == text)
  }

  @Test func takesWhatIsMissingForNothing() {
    #expect(FileTree.text(at: folder.path + "/missing") == nil)
    #expect(FileTree.text(at: folder.path) == nil)
    #expect(FileTree.link(at: folder.path + "/missing") == nil)
    #expect(FileTree.realPath(folder.path + "/missing") == nil)
    #expect(FileTree.names(in: folder.path + "/missing") == [])
    #expect(throws: Errno.noEntry) { try FileTree.contents(of: folder.path + "/missing") }
  }

  @Test func listsAFolderInOrder() {
    for name in ["b", "a", ".c"] { folder.file(name) }
    #expect(FileTree.names(in: folder.path) == [".c", "a", "b"])
  }

  @Test func followsLinks() {
    let target = folder.file("devices/camera")
    folder.link("class/video0", to: "../devices/camera")

    #expect(FileTree.link(at: folder.path + "/class/video0") == "../devices/camera")
    #expect(FileTree.realPath(folder.path + "/class/video0") == target)
  }
}
