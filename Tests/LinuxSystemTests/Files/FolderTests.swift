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

  @Test(arguments: [
    (EDQUOT, FileTrouble.noSpace, "Disk quota exceeded (write); make room or raise the quota"),
    (EACCES, .notPermitted, "Permission denied (write); check who owns it and its folder"),
    (EROFS, .readOnly, "Read-only file system (write); choose a folder on a writable file system"),
    (ENOENT, .noFolder, "No such file or directory (write); make the folder first"),
    (EISDIR, .isFolder, "Is a directory (write); name a file, not a folder"),
    (EBUSY, .isFolder, "Device or resource busy (write); name a file, not a folder"),
    (ENOTDIR, .isNoFolder, "Not a directory (write); what should be a folder there is a file"),
    (ENAMETOOLONG, .nameTooLong, "File name too long (write); choose a shorter name"),
    (EIO, .other, "Input/output error (write)"),
  ])
  func saysWhatToDo(number: Int32, trouble: FileTrouble, beginning: String) {
    let failure = FileFailure(call: "write", path: "/a", errno: Errno(rawValue: number))

    #expect(failure.trouble == trouble)
    #expect(failure.explanation.hasPrefix(beginning))
    #expect(failure.explanation.hasSuffix("."))
    #expect(!failure.explanation.hasSuffix(".."))
    #expect(!failure.explanation.contains("/a"))
  }

  @Test func saysWhatElseCanBeDone() {
    let refused = FileFailure(call: "mkdir", path: "/a", errno: .accessDenied)
    let broken = FileFailure(call: "mkdir", path: "/a", errno: .inputOutput)

    #expect(
      refused.explanation(or: "move")
        == "Permission denied (mkdir); check who owns it and its folder, or move.")
    #expect(broken.explanation(or: "move") == "Input/output error (mkdir); move.")
  }
}
