import Foundation
import Imaging
import Selfies
import Window

/// The selfies that were taken, the newest first.
final class ListScreen: Screen {
  private let app: App
  private var selected: Selfie.ID?
  private var pictures: [Selfie: Picture] = [:]
  private var wanted: Set<Selfie> = []
  private var columns = 1
  /// How far the list is scrolled, in pixels.
  private var offset = 0.0
  private var scrollsToSelection = true

  init(_ app: App) { self.app = app }

  private var index: Int { app.selfies.firstIndex { $0.id == selected } ?? 0 }

  /// Selects a selfie, and scrolls to where it is.
  func select(_ id: Selfie.ID?) {
    selected = id
    scrollsToSelection = true
  }

  func handle(_ event: WindowEvent) {
    switch event {
    case .text(" "), .text("n"): app.takeSelfie()
    case .key(.enter): if app.selfies.indices.contains(index) { app.open(app.selfies[index]) }
    case .key(.left): move(by: -1)
    case .key(.right): move(by: 1)
    case .key(.up): move(by: -columns)
    case .key(.down): move(by: columns)
    case .key(.pageUp): move(by: -3 * columns)
    case .key(.pageDown): move(by: 3 * columns)
    case .scroll(let distance): offset -= distance * 60 * app.window.scale
    case .key(.escape): app.end()
    default: break
    }
  }

  func handle(_ message: Message) {
    guard case .picture(let selfie, let pixels, isSmall: true) = message else { return }
    pictures[selfie] = app.window.picture(of: pixels)
  }

  private func move(by count: Int) {
    let target = min(max(index + count, 0), app.selfies.count - 1)
    if app.selfies.indices.contains(target) { select(app.selfies[target].id) }
  }

  func draw(on page: Page) {
    let gap = 10 * page.scale
    columns = max(1, Int(page.size.width / (180 * page.scale)))
    let width = (page.size.width - gap * Double(columns + 1)) / Double(columns)
    let cell = CGSize(width: width, height: width * 0.75 + 26 * page.scale)
    let top = 50 * page.scale
    let visible = page.size.height - top - 30 * page.scale
    scroll(rowHeight: cell.height + gap, visible: visible)

    var drawn: Set<Selfie> = []
    for (number, selfie) in app.selfies.enumerated() {
      let area = CGRect(
        x: gap + Double(number % columns) * (cell.width + gap),
        y: top + Double(number / columns) * (cell.height + gap) - offset,
        width: cell.width, height: cell.height)
      guard area.intersects(page.bounds) else { continue }
      draw(selfie, in: area, isSelected: number == index, on: page)
      drawn.insert(selfie)
    }
    forget(allBut: drawn)
    page.window.fill(
      CGRect(x: 0, y: 0, width: page.size.width, height: top), .init(grey: 24, opacity: 230))
    let buttonsHeight = page.buttons([
      ("New selfie", { [app] in app.takeSelfie() }), ("Quit", { [app] in app.end() }),
    ])
    page.label(
      app.selfies.count == 1 ? "1 selfie" : "\(app.selfies.count) selfies",
      center: CGPoint(
        x: page.size.width - 60 * page.scale, y: buttonsHeight / 2))
    if app.selfies.isEmpty {
      page.label(
        "No selfies yet: press Space.", size: 18,
        center: CGPoint(x: page.size.width / 2, y: page.size.height / 2))
    }
    page.footer(app.help("Space new selfie · arrows and Enter look at one · Esc quit"))
  }

  private func draw(_ selfie: Selfie, in area: CGRect, isSelected: Bool, on page: Page) {
    if isSelected {
      page.window.fill(
        area.insetBy(dx: -4 * page.scale, dy: -4 * page.scale),
        .init(red: 60, green: 110, blue: 180))
    }
    let frame = CGRect(
      x: area.minX, y: area.minY, width: area.width, height: area.height - 26 * page.scale)
    page.window.fill(frame, .init(grey: 12))
    if let picture = pictures[selfie] {
      page.window.draw(picture, fittedInto: frame)
    } else {
      load(selfie, Int(frame.width))
    }
    page.label(
      selfie.title, size: 13,
      center: CGPoint(x: area.midX, y: area.maxY - 13 * page.scale), width: area.width)
    page.onTap(area) { [app] in
      self.selected = selfie.id
      app.open(selfie)
    }
  }

  private func load(_ selfie: Selfie, _ side: Int) {
    guard wanted.insert(selfie).inserted else { return }
    app.errands.run { [album = app.album] in
      let image = try await album.thumbnail(of: selfie, maxPixelSize: max(side, 1))
      return .picture(selfie, try image.pixelBuffer().converted(to: .bgra32), isSmall: true)
    }
  }

  /// Keeps the memory of a few screens' pictures.
  private func forget(allBut drawn: Set<Selfie>) {
    guard wanted.count > drawn.count + 200 else { return }
    wanted.formIntersection(drawn)
    pictures = pictures.filter { drawn.contains($0.key) }
  }

  private func scroll(rowHeight: Double, visible: Double) {
    let rows = (app.selfies.count + columns - 1) / columns
    if scrollsToSelection {
      let y = Double(index / columns) * rowHeight
      offset = min(max(offset, y + rowHeight - visible), y)
      scrollsToSelection = false
    }
    offset = max(0, min(offset, Double(rows) * rowHeight - visible))
  }
}
