import Foundation
import Glibc
import TestSupport
import Testing

@testable import LinuxSystem

@Suite(.timeLimit(.minutes(1)))
struct FolderTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func makesFoldersOnTheWayAndAcceptsThoseThatExist() throws {
    let path = folder.path("a/b/c")

    try Folder.make(path, isPrivate: true)
    try Folder.make(path + "/", isPrivate: true)
    try Folder.make(folder.path("d/e/"))

    #expect(try folder.mode(of: "a/b/c") == 0o700)
    #expect(try folder.mode(of: "a") == 0o700)
    #expect(try folder.names == ["a", "d"])
  }

  @Test func refusesAFileInTheFoldersPlace() throws {
    try folder.write("", to: "a")

    for name in ["a", "a/b"] {
      let failure = #expect(throws: FileFailure.self) {
        try Folder.make(folder.path(name))
      }
      #expect(failure?.errno.rawValue == ENOTDIR)
    }
  }

  @Test func saysWhatToDoAboutAFullDisk() {
    let failure = FileFailure(call: "write", path: "/a", errno: .quotaExceeded)

    #expect(failure.trouble == .noSpace)
    #expect(
      failure.explanation
        == "/a: Disk quota exceeded (write); make room or raise the quota and try again")
  }
}
