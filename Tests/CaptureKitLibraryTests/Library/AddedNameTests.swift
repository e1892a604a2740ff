import Foundation
import Testing

@testable import CaptureKitLibrary

@Suite(.timeLimit(.minutes(1)))
struct AddedNameTests {
  @Test(arguments: [
    (1_796_117_415.9, 0, "IMG_20261201_093015"), (1_796_117_415, 3600, "IMG_20261201_103015"),
    (-1, 0, "IMG_19691231_235959"), (0, 1 << 62, "IMG_19700101_000000"),
    (.infinity, 0, "IMG_19700101_000000"),
  ])
  func isTheMoment(seconds: Double, zone: Int, stem: String) {
    let name = AddedName(
      "IMG", Date(timeIntervalSince1970: seconds), secondsFromGMT: zone, fileExtension: "jpg")
    let candidates = Array(name.candidates.prefix(3))

    if zone < 1 << 62 {
      #expect(candidates == ["\(stem).jpg", "\(stem)-1.jpg", "\(stem)-2.jpg"])
    } else {
      #expect(candidates.count == 3)
    }
  }

  @Test func hasNoDotWithoutAnExtension() {
    let name = AddedName(
      "VID", Date(timeIntervalSince1970: 0), secondsFromGMT: 0, fileExtension: "")

    #expect(Array(name.candidates.prefix(1)) == ["VID_19700101_000000"])
  }
}
