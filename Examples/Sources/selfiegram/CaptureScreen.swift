import CaptureKitLinux
import Foundation
import Imaging
import Selfies
import Synchronization
import Window

/// The preview, with "Tap to take a selfie" over its lower edge.
final class CaptureScreen: Screen {
  private let app: App
  private let controller: SelfieCaptureController
  private let newest = NewestImage()
  private var status = SelfieCaptureController.Status.starting
  private var preview: Picture?
  private var size = CGSize.zero

  init(_ app: App) {
    self.app = app
    let (album, errands) = (app.album, app.errands)
    controller = SelfieCaptureController(
      orientation: app.orientation, onEvent: { errands.post(.capture($0)) },
      completion: { image in
        errands.post(.captureEnded(hasPhoto: image != nil))
        if let image { errands.run { .kept(try await album.add(image)) } }
      })
    controller.previewLayer.setImageHandler { [newest] image in
      if newest.put(image) { errands.post(.preview) }
    }
    errands.run { [controller] in
      await controller.start()
      return nil
    }
  }

  func leave() { app.errands.run(cancelling) }

  private var cancelling: @Sendable () async -> Message? {
    { [controller] in
      await controller.cancel()
      return nil
    }
  }

  func handle(_ event: WindowEvent) {
    switch event {
    case .tap, .text(" "), .key(.enter):
      app.errands.run { [controller] in
        await controller.takePhoto()
        return nil
      }
    case .text("c"):
      app.errands.run { [controller] in
        await controller.switchCamera()
        return nil
      }
    case .text("r"): app.simulation?.turn()
    case .text("u"): app.simulation?.togglePlug()
    case .key(.escape): app.errands.run(cancelling)
    default: break
    }
  }

  func handle(_ message: Message) {
    switch message {
    case .preview: show(newest.take())
    case .capture(.status(let status)): change(to: status)
    case .capture(.shutter): app.flash()
    case .capture(.photoFailed(let sentence)): app.notice = sentence
    default: break
    }
  }

  private func change(to status: SelfieCaptureController.Status) {
    self.status = status
    switch status {
    case .ready(let camera): app.report("ready \(camera)")
    case .unavailable(let sentence):
      preview = nil
      app.report("unavailable \(sentence)")
    case .starting, .taking, .ended: break
    }
  }

  private func show(_ image: PreviewImage?) {
    // The last image of a camera that went may come after the sentence that says so.
    guard let image, isRunning, size == CGSize(width: image.width, height: image.height) else {
      return
    }
    if preview?.width != image.width || preview?.height != image.height { preview = nil }
    if let preview {
      _ = preview.show(image.pixels)
    } else {
      preview = app.window.picture(of: image.pixels)
    }
  }

  private var isRunning: Bool {
    switch status {
    case .ready, .taking: true
    case .starting, .unavailable, .ended: false
    }
  }

  /// Lays the preview out anew, at once where a camera runs.
  private func resize(to size: CGSize) {
    self.size = size
    controller.previewLayer.bounds = CGRect(origin: .zero, size: size)
    show(try? controller.previewLayer.image())
    app.report("preview \(Int(size.width))x\(Int(size.height))")
  }

  func draw(on page: Page) {
    if page.size != size { resize(to: page.size) }
    if let preview {
      page.window.draw(preview, in: page.bounds)
    } else {
      page.label(
        sentence, size: 18, center: CGPoint(x: page.size.width / 2, y: page.size.height * 0.45),
        width: page.size.width * 0.8, isWrapped: true)
    }
    page.buttons([("Cancel", { [app, cancelling] in app.errands.run(cancelling) })])
    let invitation = preview == nil ? [] : [(text: "Tap to take a selfie", points: 20.0)]
    page.footer(invitation + app.help("Space photo · C other camera · F full screen · Esc cancel"))
  }

  private var sentence: String {
    if case .unavailable(let sentence) = status { sentence } else { "One moment …" }
  }
}

/// Where the newest preview waits for the main thread; one at a time.
private final class NewestImage: Sendable {
  private let image = Mutex<PreviewImage?>(nil)

  /// - Returns: Whether none was waiting: the main thread is to be told.
  func put(_ image: PreviewImage) -> Bool {
    self.image.withLock { waiting in
      defer { waiting = image }
      return waiting == nil
    }
  }

  func take() -> PreviewImage? {
    image.withLock { image in
      defer { image = nil }
      return image
    }
  }
}
