import Foundation
import Imaging
import Selfies
import Window

/// One selfie, filling the window; it can be renamed and deleted.
final class SelfieScreen: Screen {
  private let app: App
  private var selfie: Selfie
  private var picture: Picture?
  /// The title that is being typed.
  private var draft: String?

  init(_ app: App, _ selfie: Selfie) {
    (self.app, self.selfie) = (app, selfie)
    let side = Int(max(app.window.size.width, app.window.size.height, 1600))
    app.errands.run { [album = app.album] in
      let image = try await album.picture(of: selfie, maxPixelSize: side)
      return .picture(selfie, try image.pixelBuffer().converted(to: .bgra32), isSmall: false)
    }
  }

  var isEditing: Bool { draft != nil }

  func handle(_ event: WindowEvent) {
    if draft != nil { return edit(event) }
    switch event {
    case .text("r"): beginRenaming()
    case .text("d"), .key(.delete): delete()
    case .text(" "), .text("n"): app.takeSelfie()
    case .key(.left): app.open(nextTo: selfie, by: -1)
    case .key(.right): app.open(nextTo: selfie, by: 1)
    case .key(.escape), .key(.enter), .key(.backspace): app.showList(selecting: selfie.id)
    default: break
    }
  }

  private func beginRenaming() { draft = selfie.isNamed ? selfie.title : "" }

  private func edit(_ event: WindowEvent) {
    switch event {
    case .text(let text): draft?.append(text)
    case .key(.backspace): _ = draft?.popLast()
    case .key(.escape): draft = nil
    case .key(.enter): rename(to: draft ?? "")
    default: break
    }
  }

  private func rename(to title: String) {
    draft = nil
    app.errands.run { [album = app.album, selfie] in
      let name = try album.rename(selfie, to: title).lastPathComponent
      return .renamed(selfie, to: name)
    }
  }

  private func delete() {
    app.errands.run { [album = app.album, selfie] in
      try await album.delete(selfie)
      return .deleted(selfie)
    }
  }

  func handle(_ message: Message) {
    switch message {
    case .picture(let shown, let pixels, isSmall: false) where shown.id == selfie.id:
      picture = app.window.picture(of: pixels)
    case .renamed(let other, to: _) where other.id == selfie.id: app.showList(selecting: nil)
    case .deleted(let other) where other.id == selfie.id: app.showList(selecting: nil)
    default: break
    }
  }

  func draw(on page: Page) {
    if let picture { page.window.draw(picture, fittedInto: page.bounds) }
    page.buttons([
      ("Back", { [app, selfie] in app.showList(selecting: selfie.id) }),
      ("Rename", { self.beginRenaming() }), ("Delete", { self.delete() }),
    ])
    if let draft {
      page.footer([
        ("New title: \(draft)▏", 20), ("Enter rename · Esc leave it as it is", 13),
      ])
    } else {
      page.footer(
        [(selfie.title, 20)]
          + app.help("← → others · R rename · D delete · Space new selfie · Esc back"))
    }
  }
}
