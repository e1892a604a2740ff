import Foundation
import Glibc
import TestSupport
import Testing

@testable import LinuxSystem

@Suite(.timeLimit(.minutes(1)))
struct TrashTests {
  private let folder: TemporaryFolder
  private let trash: Trash

  init() throws {
    let folder = try TemporaryFolder()
    self.folder = folder
    trash = Trash(XDGDirectories(variable: { $0 == "XDG_DATA_HOME" ? folder.path("data") : nil }))
  }

  private func put(_ name: String) throws {
    try trash.put(RawPath(folder.path(name)), within: RawPath(folder.path))
  }

  private func names(_ part: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path("data/Trash/" + part)).sorted()
  }

  @Test func givesEachFileAFreeName() throws {
    for name in ["a/x.jpg", "b/x.jpg", "x"] { folder.file(name, name) }
    // Somebody has left a file without a note, which is not written over.
    folder.file("data/Trash/files/x.2.jpg", "stray")

    for name in ["a/x.jpg", "b/x.jpg", "x"] { try put(name) }

    #expect(try names("files") == ["x", "x.2.jpg", "x.3.jpg", "x.jpg"])
    #expect(try names("info") == ["x.3.jpg.trashinfo", "x.jpg.trashinfo", "x.trashinfo"])
    #expect(try folder.text(of: "data/Trash/files/x.3.jpg") == "b/x.jpg")
    #expect(
      try folder.text(of: "data/Trash/info/x.3.jpg.trashinfo").contains(
        "Path=\(folder.path)/b/x.jpg\n"))
    #expect(try folder.mode(of: "data/Trash/info") == 0o700)
  }

  @Test func shortensANameThatHasNoRoomForItsNote() throws {
    // 255 bytes, and characters of two.
    let name = String(repeating: "ü", count: 125) + "x.jpg"
    folder.file(name, "long")

    try put(name)

    let trashed = try #require(try names("files").first)
    #expect(trashed.hasSuffix("ü.jpg"))
    #expect(trashed.utf8.count <= 245)
    #expect(try names("info") == [trashed + ".trashinfo"])
  }

  @Test func followsNoLinkBelowItsRoot() throws {
    folder.file("outside/x.jpg", "secret")
    folder.link("root/link", to: "../outside")
    folder.link("root/x.jpg", to: "../outside/x.jpg")
    for name in ["link/x.jpg", "x.jpg", "none.jpg", "link"] {
      let path = RawPath(folder.path("root/" + name))
      let error = #expect(throws: TrashFailure.self) {
        try trash.put(path, within: RawPath(folder.path("root")))
      }
      if case .gone? = error {} else { Issue.record("\(name): \(String(describing: error))") }
    }

    #expect(try folder.text(of: "outside/x.jpg") == "secret")
  }

  @Test func writesTheTimeOnTheWallsClock() {
    var parts = tm()
    (parts.tm_year, parts.tm_mon, parts.tm_mday) = (126, 11, 1)
    (parts.tm_hour, parts.tm_min, parts.tm_sec, parts.tm_isdst) = (9, 3, 5, -1)

    let text = TrashBin.text(RawPath("/a b"), at: mktime(&parts))

    #expect(text == "[Trash Info]\nPath=/a%20b\nDeletionDate=2026-12-01T09:03:05\n")
  }

  /// Another mount: the trash at its top, and only where that is safe.
  @Test(
    .enabled(if: Worker.canMount),
    arguments: [
      ("", "/.Trash-0", true), ("mkdir -m 1777 $M/.Trash", "/.Trash/0", true),
      ("mkdir -m 777 $M/.Trash", "/.Trash-0", true),
      ("mkdir -m 1777 $M/real; ln -s real $M/.Trash", "/.Trash-0", true),
      ("mkdir $M/real; ln -s real $M/.Trash-0", "", false), (": > $M/.Trash-0", "", false),
    ])
  func usesTheTrashOfAnotherFileSystem(prepare: String, bin: String, works: Bool) throws {
    folder.folder("m")
    let result = try Worker.runMounting(
      """
      M='\(folder.path("m"))'; mount -t tmpfs tmpfs $M; mkdir -p $M/a/b; echo x > "$M/a/b/c d.jpg"
      \(prepare)
      XDG_DATA_HOME='\(folder.path("data"))' '\(Worker.path(of: "trash-worker"))' $M/a "$M/a/b/c d.jpg" || true
      cat $M\(bin)/info/*.trashinfo $M\(bin)/files/* || ls -A $M/a/b
      """)

    if works {
      #expect(result.text.contains("Path=a/b/c%20d.jpg\n"))
      #expect(result.text.hasSuffix("\nx"))
    } else {
      #expect(result.text.hasSuffix("c d.jpg"))
    }
  }
}
