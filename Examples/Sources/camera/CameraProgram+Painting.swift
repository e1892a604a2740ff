import CameraScreens
import CaptureKitLibrary
import Foundation
import Imaging
import TerminalPicture

/// What the terminal shows, as far as it matters whether that is something else.
struct PaintedScene: Hashable {
  var picture: CameraMachine.Picture
  var canvas: PictureCanvas
  var editor: ImageEditor?
  var pageRevision: Int?
}

extension CameraProgram {
  /// Shows what the machine says, where it is something else than before.
  func paint() {
    if case .grid = machine.picture { loadPage(anew: false) }
    let editor = picker.editor
    screen.caption = machine.caption(
      selected: page?.title(at: machine.grid.selection), editor: editor)
    guard let canvas else { return }
    var new = PaintedScene(picture: machine.picture, canvas: canvas)
    switch new.picture {
    case .editing: new.editor = editor ?? painted?.editor
    case .grid: new.pageRevision = page?.revision
    default: break
    }
    guard new != painted else { return }
    painted = new
    scene = painter.begin()
    if new.picture != .preview { picker.previewLayer?.setImageHandler(nil) }
    if new.picture != .editing { cropSheet = nil }
    draw(new)
  }

  private func draw(_ new: PaintedScene) {
    let canvas = new.canvas
    switch new.picture {
    case .nothing: painter.paint(scene) { PictureSheet(canvas).pixels }
    case .preview: showPreview(on: canvas)
    case .grid(let grid):
      painter.paint(scene) { [page] in Self.sheet(grid, page, canvas).pixels }
    case .editing:
      guard let editor = new.editor else { return }
      cropSheet = cropSheet ?? picker.draft?.originalImage.map(CropSheet.init)
      painter.paint(scene) { [cropSheet] in try? cropSheet?.draw(editor, on: canvas) }
    case .result(isMovie: false):
      guard let image = media?.image else { return }
      painter.paint(scene) {
        var sheet = PictureSheet(canvas)
        try? sheet.draw(image, in: sheet.fit(image))
        return sheet.pixels
      }
    case .result(isMovie: true):
      player?.move(to: .init(scene: scene, canvas: canvas))
      if let playback = machine.result?.playback, !playback.isPlaying {
        player?.obey(.show(at: playback.position))
      }
    }
  }

  private func showPreview(on canvas: PictureCanvas) {
    guard let layer = picker.previewLayer else { return }
    layer.pixelAspectRatio = canvas.pixelAspectRatio
    layer.bounds = CGRect(x: 0, y: 0, width: canvas.width, height: canvas.height)
    // The layer draws the newest frame when the one before has been shown.
    layer.setImageHandler { [painter, scene] in painter.show($0.pixels, of: scene) }
  }

  private static func sheet(
    _ grid: LibraryGrid, _ page: LibraryPage?, _ canvas: PictureCanvas
  ) -> PictureSheet {
    var sheet = PictureSheet(canvas)
    let white = PictureSheet.Color(red: 255, green: 255, blue: 255)
    for index in grid.page {
      let cell = grid.frame(of: index, in: sheet.size)
      let inner = cell.insetBy(dx: 1.5 * canvas.pixelAspectRatio, dy: 1.5)
      if let asset = page?.asset(at: index) {
        if let image = page?.thumbnails[asset.id] {
          let frame = PictureSheet.fit(image.pixelWidth, image.pixelHeight, in: inner)
          try? sheet.draw(image, in: frame)
        }
        if asset.mediaType == .movie { sheet.drawPlaySign(in: inner, white) }
      }
      if index == grid.selection { sheet.outline(cell, white) }
    }
    return sheet
  }
}
