import LinuxSystem
import Testing

@testable import CaptureKitLibrary

@Suite(.timeLimit(.minutes(1)))
struct LibraryStateTests {
  private func entry(_ path: String) -> LibraryEntry {
    LibraryEntry(
      path: RawPath(path),
      stamp: FileStamp(byteCount: 1, modified: 1000, changed: 1000, fileNumber: 1), kind: .image)
  }

  /// The index answers before the folders are read, and what it shows can be thrown away.
  @Test func beginsWithoutWhatWasThrownAwayMeanwhile() {
    var state = LibraryState()
    _ = state.insert(entry("/p/new.jpg"))
    _ = state.remove(RawPath("/p/gone.jpg"))

    _ = state.begin(
      with: LibraryCatalog([entry("/p/gone.jpg"), entry("/p/kept.jpg")], albums: []))

    #expect(state.catalog[RawPath("/p/gone.jpg")] == nil)
    #expect(state.catalog.count == 2)
  }
}
