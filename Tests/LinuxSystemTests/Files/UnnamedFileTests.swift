import Foundation
import TestSupport
import Testing

@testable import LinuxSystem

@Suite(.timeLimit(.minutes(1)))
struct UnnamedFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func write(_ text: String, _ names: [String]) throws(FileFailure) -> RawPath {
    let file = try UnnamedFile(in: RawPath(folder.path))
    try file.write(Array(text.utf8).span.bytes)
    file.setModified(1_500_000_000_250_000_000)
    return try file.publish(names)
  }

  @Test func takesTheFirstNameThatIsFree() throws {
    folder.file("a", "old")

    let path = try write("new", ["a", "b", "c"])

    #expect(path == RawPath(folder.path("b")))
    #expect(try folder.text(of: "a") == "old")
    #expect(try folder.text(of: "b") == "new")
    #expect(try FileStamp(ofFile: path)?.modified == 1_500_000_000_250_000_000)
    #expect(try folder.names == ["a", "b"])
  }

  @Test func leavesNothingWhereItIsNotPublished() throws {
    folder.file("a", "old")

    let failure = #expect(throws: FileFailure.self) { try write("new", ["a"]) }

    #expect(failure?.errno == .exists)
    #expect(try folder.names == ["a"])
  }

  @Test func copiesAFileAndStopsWhenItIsTold() throws {
    let original = RawPath(folder.file("a", String(repeating: "x", count: 9_000_000)))
    var isFirst = true
    let file = try UnnamedFile(in: RawPath(folder.path))

    let isWhole = try file.copy(OpenFile(reading: original), original.shown) {
      defer { isFirst = false }
      return isFirst
    }

    #expect(!isWhole)
    let other = try UnnamedFile(in: RawPath(folder.path))
    let isOther = try other.copy(OpenFile(reading: original), original.shown, while: { true })
    #expect(isOther)
    #expect(try FileStamp(ofFile: other.publish(["b"]))?.byteCount == 9_000_000)
  }

  @Test func saysThatTheFolderIsMissing() {
    let failure = #expect(throws: FileFailure.self) {
      _ = try UnnamedFile(in: RawPath(folder.path("none")))
    }

    #expect(failure?.errno == .noEntry)
  }

  @Test func movesToAFreeNameOnly() throws {
    let (one, two) = (RawPath(folder.file("a", "a")), RawPath(folder.file("b", "b")))

    let failure = #expect(throws: FileFailure.self) { try RawFile.moveToFree(one, to: two) }
    try RawFile.moveToFree(one, to: RawPath(folder.path("c")))

    #expect(failure?.errno == .exists)
    #expect(try folder.text(of: "b") == "b")
    #expect(try folder.names == ["b", "c"])
  }
}
