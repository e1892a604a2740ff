import Foundation
import Window

/// One drawing of the window, and where its buttons are.
final class Page {
  let window: Window
  let size: CGSize
  /// Pixels in a unit of length.
  let scale: Double
  private var buttons: [(area: CGRect, action: () -> Void)] = []

  init(_ window: Window) {
    (self.window, size, scale) = (window, window.size, window.scale)
  }

  var bounds: CGRect { CGRect(origin: .zero, size: size) }

  /// Does what a button is there for.
  ///
  /// - Returns: Whether there is one.
  func press(at point: CGPoint) -> Bool {
    // The one that was drawn last lies on top.
    guard let button = buttons.last(where: { $0.area.contains(point) }) else { return false }
    button.action()
    return true
  }

  /// Makes a part of the page a button.
  func onTap(_ area: CGRect, _ action: @escaping () -> Void) { buttons.append((area, action)) }

  /// Draws a text around a point.
  ///
  /// - Returns: Where it is.
  @discardableResult
  func label(
    _ text: String, size points: Double = 15, center: CGPoint, width: Double? = nil,
    isWrapped: Bool = false
  ) -> CGRect {
    let width = width ?? size.width - 24 * scale
    guard
      let picture = window.text(
        text, size: (points * scale).rounded(), width: width, isWrapped: isWrapped)
    else { return CGRect(origin: center, size: .zero) }
    // Letters on whole pixels are sharp.
    let area = CGRect(
      x: (center.x - Double(picture.width) / 2).rounded(),
      y: (center.y - Double(picture.height) / 2).rounded(), width: Double(picture.width),
      height: Double(picture.height))
    window.draw(picture, in: area)
    return area
  }

  /// Draws lines of text on a dark band along the lower edge, the last one lowest.
  ///
  /// - Returns: The height of the band.
  @discardableResult
  func footer(_ lines: [(text: String, points: Double)]) -> Double {
    let heights = lines.map { ($0.points * 1.9 * scale).rounded() }
    let height = heights.reduce(0, +)
    var y = size.height - height
    window.fill(
      CGRect(x: 0, y: y, width: size.width, height: height), .init(grey: 0, opacity: 150))
    for (line, lineHeight) in zip(lines, heights) {
      label(line.text, size: line.points, center: CGPoint(x: size.width / 2, y: y + lineHeight / 2))
      y += lineHeight
    }
    return height
  }

  /// Draws a row of buttons from the upper left corner on.
  ///
  /// - Returns: The height of the row.
  @discardableResult
  func buttons(_ titles: [(title: String, action: () -> Void)]) -> Double {
    let (height, gap) = ((34 * scale).rounded(), (8 * scale).rounded())
    var x = gap
    for (title, action) in titles {
      let text = window.text(title, size: (15 * scale).rounded(), width: size.width)
      let area = CGRect(
        x: x, y: gap, width: Double(text?.width ?? 0) + 24 * scale, height: height)
      window.fill(area, .init(red: 40, green: 60, blue: 90, opacity: 210))
      label(title, center: CGPoint(x: area.midX, y: area.midY))
      onTap(area, action)
      x = area.maxX + gap
    }
    return height + 2 * gap
  }
}
