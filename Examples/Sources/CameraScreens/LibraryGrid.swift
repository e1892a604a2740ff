public import Foundation
public import TerminalPicture

/// Where a library's pictures lie on the screen, a page at a time, and which one is chosen next.
public struct LibraryGrid: Hashable, Sendable {
  /// How many pictures there are; nil while nobody knows.
  public private(set) var count: Int?
  /// Pictures beside each other.
  public private(set) var columns: Int = 4
  /// Rows of pictures.
  public private(set) var rows: Int = 2
  /// The picture that is marked, from 0.
  public private(set) var selection: Int = 0

  /// An empty page.
  public init() {}

  /// The pictures of the page that has the marked one.
  public var page: Range<Int> {
    let first = selection / pageSize * pageSize
    return first..<max(first, min(first + pageSize, count ?? first + pageSize))
  }

  private var pageSize: Int { columns * rows }

  /// Learns how many pictures there are now.
  public mutating func setCount(_ count: Int) {
    self.count = max(0, count)
    selection = min(selection, max(0, count - 1))
  }

  /// Learns what the screen is like: three rows where there are many pixels, and cells about as wide
  /// as pictures are.
  public mutating func fit(_ canvas: PictureCanvas) {
    let size = PictureSheet.size(of: canvas)
    rows = canvas.height < 30 ? 1 : canvas.height < 100 ? 2 : 3
    let wide = size.width / (size.height / Double(rows) * 4 / 3)
    columns = Int(min(max(wide.rounded(), 1), 8))
  }

  /// Marks another picture.
  public mutating func move(_ motion: TerminalMotion) {
    guard let count, count > 0 else { return }
    let target =
      switch motion {
      case .left: selection - 1
      case .right: selection + 1
      case .up: selection - columns
      case .down: selection + columns
      case .pageUp: selection - pageSize
      case .pageDown: selection + pageSize
      case .home: 0
      case .end: count - 1
      }
    // Up and down stay where they lead beyond all rows; a last row that is short has a last picture.
    switch motion {
    case .up where target < 0: return
    case .down where target / columns > (count - 1) / columns: return
    default: selection = min(max(target, 0), count - 1)
    }
  }

  /// The frame of a picture of the page.
  ///
  /// - Parameters:
  ///   - index: The picture, from 0.
  ///   - size: The sheet's size.
  /// - Returns: Its cell, the picture in the middle of it.
  public func frame(of index: Int, in size: CGSize) -> CGRect {
    let place = index - page.lowerBound
    let (width, height) = (size.width / Double(columns), size.height / Double(rows))
    return CGRect(
      x: Double(place % columns) * width, y: Double(place / columns) * height, width: width,
      height: height)
  }
}
