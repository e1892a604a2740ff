import Foundation
import Glibc
import TestSupport
import Testing

@testable import LinuxSystem

@Suite(.timeLimit(.minutes(1)))
struct AtomicFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func write(
    _ text: String, to path: String, durability: AtomicFile.Durability = .full
  ) throws(FileFailure) {
    try AtomicFile.write(Data(text.utf8).bytes, to: path, durability: durability)
  }

  @Test(arguments: [AtomicFile.Durability.full, .none])
  func makesAndReplacesAFile(durability: AtomicFile.Durability) throws {
    try write("one", to: folder.path("a"), durability: durability)
    #expect(try folder.text(of: "a") == "one")

    try write("and two", to: folder.path("a"), durability: durability)
    #expect(try folder.text(of: "a") == "and two")

    try write("", to: folder.path("a"), durability: durability)
    #expect(try folder.text(of: "a") == "")
    #expect(try folder.names == ["a"])
  }

  @Test func writesManyBytesInFull() throws {
    let bytes = Data((0..<5_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })

    try AtomicFile.write(bytes.bytes, to: folder.path("big"))

    #expect(try Data(contentsOf: URL(filePath: folder.path("big"))) == bytes)
  }

  @Test func keepsTheOldBytesForWhoeverHasThemOpen() throws {
    try folder.write("old", to: "a")
    let reader = try FileHandle(forReadingFrom: URL(filePath: folder.path("a")))

    try write("new", to: folder.path("a"))

    #expect(try reader.readToEnd() == Data("old".utf8))
  }

  @Test(arguments: [0o600, 0o640, 0o444, 0o755])
  func keepsTheOldFilesMode(mode: Int) throws {
    try folder.write("old", to: "a")
    try folder.setMode(mode, of: "a")

    try write("new", to: folder.path("a"))

    #expect(try folder.mode(of: "a") == mode)
    #expect(try folder.text(of: "a") == "new")
  }

  @Test func givesANewFileWhatTheUmaskLeaves() throws {
    try folder.write("made by others", to: "reference")

    try write("new", to: folder.path("a"))

    let mask = umask(0)
    umask(mask)
    #expect(try folder.mode(of: "a") == 0o666 & ~Int(mask))
  }

  @Test func followsLinksAndLeavesThemLinks() throws {
    let manager = FileManager.default
    try manager.createDirectory(atPath: folder.path("elsewhere"), withIntermediateDirectories: true)
    try folder.write("old", to: "elsewhere/target")
    try manager.createSymbolicLink(
      atPath: folder.path("inner"), withDestinationPath: "elsewhere/target")
    try manager.createSymbolicLink(
      atPath: folder.path("link"), withDestinationPath: folder.path("inner"))

    try write("new", to: folder.path("link"))

    #expect(try folder.text(of: "elsewhere/target") == "new")
    #expect(
      try manager.destinationOfSymbolicLink(atPath: folder.path("inner")) == "elsewhere/target")
    #expect(
      try manager.destinationOfSymbolicLink(atPath: folder.path("link")) == folder.path("inner"))
    #expect(try manager.contentsOfDirectory(atPath: folder.path("elsewhere")) == ["target"])
  }

  @Test func makesTheTargetOfALinkThatPointsNowhere() throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("link"), withDestinationPath: "target")

    try write("new", to: folder.path("link"))

    #expect(try folder.text(of: "target") == "new")
  }

  @Test func refusesLinksInACircle() throws {
    let manager = FileManager.default
    try manager.createSymbolicLink(atPath: folder.path("a"), withDestinationPath: "b")
    try manager.createSymbolicLink(atPath: folder.path("b"), withDestinationPath: "a")

    let failure = #expect(throws: FileFailure.self) { try write("new", to: folder.path("a")) }

    #expect(failure?.errno.rawValue == ELOOP)
  }

  @Test func writesIntoAPipeInsteadOfReplacingIt() throws {
    let path = folder.path("pipe")
    #expect(mkfifo(path, 0o600) == 0)
    let reader = open(path, O_RDONLY | O_NONBLOCK)
    defer { close(reader) }

    try write("through", to: path)

    #expect(try AtomicFile.status(of: path)?.kind == S_IFIFO)
    #expect(try FileHandle(fileDescriptor: reader).read(upToCount: 7) == Data("through".utf8))
  }

  @Test func leavesNothingBehindWhenTheLastStepFails() throws {
    try FileManager.default.createDirectory(
      atPath: folder.path("a"), withIntermediateDirectories: true)

    let failure = #expect(throws: FileFailure.self) { try write("new", to: folder.path("a")) }

    #expect(failure?.errno.rawValue == EISDIR)
    #expect(try folder.names == ["a"])
  }

  @Test(arguments: [
    ("nowhere/a", ENOENT), ("file/a", ENOTDIR),
    (String(repeating: "x", count: 300), ENAMETOOLONG),
  ])
  func saysWhyAFileCannotBeMade(name: String, errno: Int32) throws {
    try folder.write("", to: "file")

    let failure = #expect(throws: FileFailure.self) { try write("new", to: folder.path(name)) }

    #expect(failure?.errno.rawValue == errno)
    #expect(failure?.path == folder.path(name))
    #expect(try folder.names == ["file"])
  }

  @Test func refusesANameThatWouldEndAtItsNUL() throws {
    let failure = #expect(throws: FileFailure.self) { try write("new", to: folder.path("a\0b")) }

    #expect(failure?.errno == .invalidArgument)
    #expect(try folder.names == [])
  }

  @Test func surfacesAFullDisk() throws {
    // /dev/full is no regular file: it is written to in place and says ENOSPC.
    let failure = #expect(throws: FileFailure.self) { try write("new", to: "/dev/full") }

    #expect(failure?.errno == .noSpace)
    #expect(failure?.description == "/dev/full: No space left on device (write)")
  }

  @Test func keepsTheOldFileWhenThereIsNoRoomForAllBytes() async {
    // In a process of its own: the limit, which stands for a full disk, is the process's.
    await #expect(processExitsWith: .success) {
      signal(SIGXFSZ, SIG_IGN)
      let folder = try TemporaryFolder()
      try folder.write("old", to: "a")
      var limit = rlimit(rlim_cur: 10_000, rlim_max: 10_000)
      setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)

      let failure = #expect(throws: FileFailure.self) {
        try AtomicFile.write(Data(count: 20_000).bytes, to: folder.path("a"))
      }

      let isRight = try failure?.errno.rawValue == EFBIG && folder.text(of: "a") == "old"
      let isClean = try folder.names == ["a"]
      exit(isRight && isClean ? EXIT_SUCCESS : EXIT_FAILURE)
    }
  }

  @Test(.enabled(if: geteuid() != 0, "root may write anywhere"))
  func saysThatAFolderMayNotBeChanged() throws {
    try folder.write("old", to: "a")
    #expect(chmod(folder.path, 0o555) == 0)
    defer { chmod(folder.path, 0o755) }

    let failure = #expect(throws: FileFailure.self) { try write("new", to: folder.path("a")) }

    #expect(failure?.errno == .accessDenied)
    #expect(failure?.trouble == .notPermitted)
    #expect(try folder.text(of: "a") == "old")
  }

  @Test func acceptsANameOfTheLongestLength() throws {
    let name = String(repeating: "n", count: 255)

    try write("new", to: folder.path(name))

    #expect(try folder.text(of: name) == "new")
  }

  // MARK: - Reading

  @Test(arguments: [0, 1, 4095, 4096, 100_000])
  func readsAllBytes(count: Int) throws {
    let bytes = [UInt8]((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) })
    try Data(bytes).write(to: URL(filePath: folder.path("a")))

    #expect(try AtomicFile.read(folder.path("a"), atMost: count) == bytes)
  }

  @Test func refusesAFileAboveTheLimit() throws {
    try folder.write("12345", to: "a")

    let failure = #expect(throws: FileFailure.self) {
      try AtomicFile.read(folder.path("a"), atMost: 4)
    }

    #expect(failure?.errno.rawValue == EFBIG)
  }

  @Test func refusesAnEndlessFileThatDeclaresNoSize() {
    let failure = #expect(throws: FileFailure.self) {
      try AtomicFile.read("/dev/zero", atMost: 100_000).count
    }

    #expect(failure?.errno.rawValue == EFBIG)
  }

  @Test func readsAFileWhoseSizeIsUnknown() throws {
    let status = try AtomicFile.read("/proc/self/status", atMost: 1 << 20)

    #expect(String(decoding: status, as: UTF8.self).hasPrefix("Name:"))
  }

  @Test func tellsAnAbsentFileFromAnUnreadableOne() throws {
    let absent = #expect(throws: FileFailure.self) {
      try AtomicFile.read(folder.path("a"), atMost: 10)
    }
    let directory = #expect(throws: FileFailure.self) {
      try AtomicFile.read(folder.path, atMost: 1 << 20)
    }

    #expect(absent?.errno == .noEntry)
    #expect(directory?.errno.rawValue == EISDIR)
  }

  // MARK: - Removing and moving

  @Test func removesAFileOnce() throws {
    try folder.write("", to: "a")

    #expect(try AtomicFile.remove(folder.path("a")))
    #expect(try !AtomicFile.remove(folder.path("a")))
    #expect(try folder.names == [])
  }

  @Test func movesAsideWithoutTouchingOtherFiles() throws {
    for text in ["one", "two", "three"] {
      try folder.write(text, to: "a")
      _ = try AtomicFile.moveAside(folder.path("a"), suffix: ".damaged")
    }

    #expect(try folder.names == ["a.damaged", "a.damaged-2", "a.damaged-3"])
    #expect(try folder.text(of: "a.damaged") == "one")
    #expect(try folder.text(of: "a.damaged-3") == "three")
  }

  @Test func movesNoPipeAside() throws {
    let pipe = folder.path("pipe")
    #expect(mkfifo(pipe, 0o600) == 0)

    let failure = #expect(throws: FileFailure.self) {
      try AtomicFile.moveAside(pipe, suffix: ".damaged")
    }

    #expect(failure?.errno == .invalidArgument)
    #expect(try folder.names == ["pipe"])
  }

  @Test func movingAnAbsentFileAsideLeavesNothing() throws {
    let failure = #expect(throws: FileFailure.self) {
      try AtomicFile.moveAside(folder.path("a"), suffix: ".damaged")
    }

    #expect(failure?.errno == .noEntry)
    #expect(try folder.names == [])
  }
}
