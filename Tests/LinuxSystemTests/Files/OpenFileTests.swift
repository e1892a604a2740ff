import Foundation
import TestSupport
import Testing

@testable import LinuxSystem

@Suite(.timeLimit(.minutes(1)))
struct OpenFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func writesReadsAndSaysWhatItIs() throws {
    let path = folder.path("file")
    let new = try OpenFile(making: path, permissions: 0o640)
    try new.write(([1, 2, 3, 4] as [UInt8]).span.bytes, path)
    try new.setPermissions(0o600, path)
    try new.synchronize(path)
    try new.close(path)

    let file = try OpenFile(reading: path)
    let status = try file.status(path)
    #expect(status.isRegular && !status.isFolder && status.permissions == 0o600)
    #expect(try FileStatus(ofFile: path) == status)
    #expect(try FileStatus(ofFile: folder.path("none")) == nil)
    #expect(try FileStatus(ofFile: folder.path)?.isFolder == true)
    // It ends before what was asked for.
    let read = try file.read(status.byteCount + 10, path)
    let count = read.byteCount
    #expect(count == 4 && status.byteCount == 4)
    let failure = #expect(throws: FileFailure.self) {
      _ = try OpenFile(making: path, permissions: 0o600)
    }
    #expect(failure?.errno == .exists)
  }

  @Test func keepsAttributesAndSaysWhereThereAreNone() throws {
    try folder.write("text", to: "file")
    let file = try OpenFile(reading: folder.path("file"))

    let isSet = file.setAttribute("user.test", to: [1, 2, 3])

    #expect(isSet)
    let values = (
      file.attribute("user.test"), file.attribute("user.test", atMost: 2), file.attribute("user.no")
    )
    #expect(values.0 == [1, 2, 3] && values.1 == nil && values.2 == nil)
    let null = try OpenFile(reading: "/dev/null")
    let isSetThere = null.setAttribute("user.test", to: [1])
    #expect(!isSetThere)
  }

  @Test func touchesTheTimeOfUseAlone() throws {
    try folder.write("text", to: "file")
    folder.setAge(1000, of: "file")
    let before = try #require(try FileStatus(ofFile: folder.path("file")))

    let file = try OpenFile(reading: folder.path("file"))
    file.touch()

    let after = try #require(try FileStatus(ofFile: folder.path("file")))
    #expect(after.modified == before.modified)
    #expect(after.accessed - before.accessed > 900_000_000_000)
  }

  @Test func locksOutOthersUntilItGoes() throws {
    let path = folder.path("lock")
    do {
      let first = try FileLock(path, .shared, within: 0)
      let second = try FileLock(path, .shared, within: 0)
      let third = try FileLock(path, .exclusive, within: 20_000_000)
      let areShared = first != nil && second != nil
      let isAlone = third != nil
      #expect(areShared && !isAlone)
    }

    let alone = try FileLock(path, .exclusive, within: 0)
    let other = try FileLock(path, .shared, within: 0)

    let (isAlone, isOther) = (alone != nil, other != nil)
    #expect(isAlone && !isOther)
  }

  @Test func listsAFolder() throws {
    try folder.write("abc", to: "a")
    try folder.write("", to: ".hidden")

    #expect(try Set(Folder.names(in: folder.path)) == ["a", ".hidden"])
    let entries = try Folder.entries(of: folder.path)
    #expect(entries.first { $0.name == "a" }?.status.byteCount == 3 && entries.count == 2)
    let failure = #expect(throws: FileFailure.self) { try Folder.names(in: folder.path("none")) }
    #expect(failure?.errno == .noEntry)
  }
}
