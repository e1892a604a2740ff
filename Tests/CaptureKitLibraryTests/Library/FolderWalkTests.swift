import Foundation
import Glibc
import LinuxSystem
import TestSupport
import Testing

@testable import CaptureKitLibrary

@Suite(.timeLimit(.minutes(1)))
struct FolderWalkTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func walk(
    _ roots: [String], _ limits: FolderWalk.Limits = FolderWalk.Limits()
  ) -> LibraryScan {
    let roots = roots.map { RawPath(folder.path($0)) }
    var walk = FolderWalk(roots: roots, limits: limits)
    let ended = walk.walk(roots)
    #expect(ended)
    return walk.scan
  }

  private func names(_ scan: LibraryScan) -> [String] {
    scan.listings.flatMap { listing in
      listing.files.map { listing.folder.appending($0.name).shown.dropFirst(folder.path.count + 1) }
    }.map(String.init).sorted()
  }

  @Test func leavesOutWhatIsHiddenAndWhatIsNoFile() throws {
    for name in [
      "p/a.jpg", "p/.b.jpg", "p/.hidden/c.jpg", "p/Thumbnails/d.jpg", "p/.Trash-0/files/e.jpg",
      "p/@eaDir/f.jpg", "p/sub/deep/g.jpg",
    ] { folder.file(name) }
    mkfifo(folder.path("p/pipe.jpg"), 0o600)
    folder.link("p/dangling.jpg", to: "nothing")
    folder.link("p/file.jpg", to: "a.jpg")

    #expect(names(walk(["p"])) == ["p/a.jpg", "p/sub/deep/g.jpg"])
  }

  @Test func isNotCaughtByLinksThatGoInCircles() {
    folder.file("p/a.jpg")
    folder.link("p/loop", to: ".")
    folder.link("p/up", to: "..")
    folder.link("p/self", to: "self")

    #expect(names(walk(["p"])) == ["p/a.jpg"])
  }

  @Test func listsEachFileOnceWhereFoldersOverlap() {
    folder.file("p/a.jpg")
    folder.file("p/videos/b.mkv")
    folder.link("same", to: "p")

    let scan = walk(["p", "p/videos", "same", "p"])

    #expect(names(scan) == ["p/a.jpg", "p/videos/b.mkv"])
    #expect(Set(names(walk(["same", "p"]))) == ["same/a.jpg", "same/videos/b.mkv"])
  }

  @Test func saysWhichFoldersAreMissingAndWhichAreNone() {
    folder.file("file")

    let scan = walk(["none", "file"])

    #expect(scan.missingRoots.count == 2)
    #expect(scan.listings.isEmpty)
  }

  @Test func keepsToItsLimits() {
    for number in 0..<10 { folder.file("p/\(number)/deep/x.jpg") }
    var limits = FolderWalk.Limits()

    limits.depth = 1
    #expect(names(walk(["p"], limits)).isEmpty)
    #expect(walk(["p"], limits).isCut)
    limits = FolderWalk.Limits()
    limits.folderCount = 15
    #expect(walk(["p"], limits).listings.count == 15)
    limits = FolderWalk.Limits()
    limits.fileCount = 4
    let scan = walk(["p"], limits)
    #expect(scan.isCut)
    #expect(names(scan).count == 4)
  }

  @Test func stopsWhenItIsTold() {
    folder.file("p/a.jpg")
    var walk = FolderWalk(roots: [RawPath(folder.path("p"))])

    let ended = walk.walk([RawPath(folder.path("p"))], while: { false })

    #expect(!ended)
  }
}
