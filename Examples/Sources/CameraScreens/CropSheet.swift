public import CaptureKitLibrary
public import Foundation
public import Imaging
import Synchronization
public import TerminalPicture

/// Draws a picture with the part that is cut out of it: what is left out is dark.
public final class CropSheet: Sendable {
  private let image: Image
  /// The picture in pixels, and no larger than any zoom needs on a terminal.
  private let small = Mutex<Image?>(nil)
  private static let maxPixelSize = 2048

  /// For one picture.
  public init(_ image: Image) { self.image = image }

  /// Where the part is shown, with room around it for what is left out.
  public static func view(on canvas: PictureCanvas) -> CGRect {
    let size = PictureSheet.size(of: canvas)
    let margin = min(size.width, size.height) / 12
    return CGRect(origin: .zero, size: size).insetBy(dx: margin, dy: margin)
  }

  /// Draws it; decodes the picture the first time.
  ///
  /// - Returns: nil for a canvas that is none.
  public func draw(
    _ editor: ImageEditor, on canvas: PictureCanvas
  ) throws(ImagingError) -> PixelBuffer? {
    let image = try picture()
    var sheet = PictureSheet(canvas)
    let view = Self.view(on: canvas)
    let scale = Double(image.pixelWidth) / Double(editor.imageSize.width)
    if let (part, frame) = seen(of: editor, in: view, sheet.size, scale, image) {
      var drawn = part.size == image.size ? image : try image.cropped(to: part)
      switch editor.quarterTurns {
      case 1: drawn = try drawn.rotated(by: .clockwise90)
      case 2: drawn = try drawn.rotated(by: .half)
      case 3: drawn = try drawn.rotated(by: .counterclockwise90)
      default: break
      }
      try sheet.draw(drawn, in: frame)
    }
    let crop = editor.cropFrame(in: view.size).offsetBy(dx: view.minX, dy: view.minY)
    sheet.dim(outside: crop)
    sheet.outline(crop, PictureSheet.Color(red: 255, green: 255, blue: 255))
    return sheet.pixels
  }

  private func picture() throws(ImagingError) -> Image {
    try small.withLock { small throws(ImagingError) in
      if let small { return small }
      let size: PixelSize = self.image.size
      // What is small enough is taken as it is, which costs less.
      let image =
        max(size.width, size.height) > Self.maxPixelSize
        ? try self.image.thumbnail(maxPixelSize: Self.maxPixelSize)
        : Image(try self.image.orientedPixelBuffer(), colorProfile: self.image.colorProfile)
      small = image
      return image
    }
  }

  /// What of the picture can be seen, and where: whole pixels of the small picture.
  private func seen(
    of editor: ImageEditor, in view: CGRect, _ size: CGSize, _ scale: Double, _ image: Image
  ) -> (part: PixelRect, frame: CGRect)? {
    let corners = [
      CGPoint(x: -view.minX, y: -view.minY),
      CGPoint(x: size.width - view.minX, y: size.height - view.minY),
    ].compactMap { editor.imagePoint(at: $0, in: view.size) }
    guard corners.count == 2 else { return nil }
    let (xs, ys) = (corners.map { $0.x * scale }, corners.map { $0.y * scale })
    let left = max(0, Int((xs.min() ?? 0).rounded(.down)))
    let top = max(0, Int((ys.min() ?? 0).rounded(.down)))
    let right = min(image.pixelWidth, Int((xs.max() ?? 0).rounded(.up)))
    let bottom = min(image.pixelHeight, Int((ys.max() ?? 0).rounded(.up)))
    guard left < right, top < bottom else { return nil }
    func place(_ x: Int, _ y: Int) -> CGPoint? {
      editor.viewPoint(of: CGPoint(x: Double(x) / scale, y: Double(y) / scale), in: view.size)
    }
    guard let one = place(left, top), let other = place(right, bottom) else { return nil }
    let frame = CGRect(
      x: min(one.x, other.x), y: min(one.y, other.y), width: abs(one.x - other.x),
      height: abs(one.y - other.y))
    return (
      PixelRect(x: left, y: top, width: right - left, height: bottom - top),
      frame.offsetBy(dx: view.minX, dy: view.minY)
    )
  }
}
