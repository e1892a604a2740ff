import Foundation
import Imaging
import Testing

@testable import CaptureKitLibrary

@Suite(.timeLimit(.minutes(1)))
struct PickedMediaTests {
  private func media(_ width: Int, _ height: Int, _ orientation: ImageOrientation = .up) throws
    -> PickedMedia
  {
    PickedMedia(
      picture: try Image(
        PictureFolder.jpeg(orientation: orientation, width: width, height: height)))
  }

  @Test func isShownAtTheScreensSize() throws {
    let media = try media(640, 480, .right)
    let bytes = media.originalImage?.encodedData
    let shown = try media.displayImage(fitting: CGSize(width: 60, height: 60), scale: 2)
    #expect(shown.size == PixelSize(width: 90, height: 120))
    #expect(shown.orientation == .up)
    let filling = try media.displayImage(
      fitting: CGSize(width: 50, height: 40), contentMode: .scaleAspectFill)
    #expect(filling.size == PixelSize(width: 50, height: 40))
    #expect(media.originalImage?.encodedData == bytes)
    // The original was not decoded for it.
    #expect(media.originalImage?.byteCount == bytes?.count)
  }

  @Test func showsWhatWasEdited() throws {
    let media = try media(640, 480)
    let editor = ImageEditor(imageSize: PixelSize(width: 640, height: 480), aspectRatio: 1)
    let (image, outcome) = try editor.apply(to: try #require(media.originalImage))
    let edited = media.edited(to: image, outcome, cropRect: editor.cropRect)
    let shown = try edited.displayImage(fitting: CGSize(width: 100, height: 100))
    #expect(shown.size == PixelSize(width: 100, height: 100))
  }

  @Test func isNotMadeLarger() throws {
    let shown = try media(24, 16).displayImage(fitting: CGSize(width: 240, height: 240))
    #expect(shown.size == PixelSize(width: 24, height: 16))
  }

  @Test(arguments: [0, -1, .nan, .infinity, 1e300] as [Double])
  func refusesSizesThatAreNone(_ side: Double) throws {
    let media = try media(24, 16)
    let error = #expect(throws: LibraryError.self) {
      try media.displayImage(fitting: CGSize(width: side, height: 8), contentMode: .scaleToFill)
    }
    #expect(error?.code == .unsupportedPicture)
    guard side != .infinity, side != 1e300 else { return }
    #expect(throws: LibraryError.self) {
      try media.displayImage(fitting: CGSize(width: side, height: 8))
    }
  }

  @Test func keysAreApples() throws {
    let media = try media(24, 16)
    #expect(
      media.info.keys.map(\.rawValue).sorted() == [
        "UIImagePickerControllerMediaMetadata", "UIImagePickerControllerMediaType",
        "UIImagePickerControllerOriginalImage",
      ])
  }
}
