/// How pixels are turned and mirrored: columns and rows are reversed first, then they change
/// places.
struct PixelTurn: Hashable {
  var transposes = false
  /// The right column becomes the left one.
  var reversesX = false
  var reversesY = false

  static let none = PixelTurn()

  /// What makes pixels upright that need this orientation.
  init(undoing orientation: ImageOrientation) {
    switch orientation {
    case .up: self.init()
    case .upMirrored: self.init(reversesX: true)
    case .down: self.init(reversesX: true, reversesY: true)
    case .downMirrored: self.init(reversesY: true)
    case .leftMirrored: self.init(transposes: true)
    case .right: self.init(transposes: true, reversesY: true)
    case .rightMirrored: self.init(transposes: true, reversesX: true, reversesY: true)
    case .left: self.init(transposes: true, reversesX: true)
    }
  }

  private init(transposes: Bool = false, reversesX: Bool = false, reversesY: Bool = false) {
    self.transposes = transposes
    self.reversesX = reversesX
    self.reversesY = reversesY
  }

  /// The orientation that this makes upright.
  var orientation: ImageOrientation {
    ImageOrientation.allCases.first { PixelTurn(undoing: $0) == self } ?? .up
  }

  /// This turn and another one after it.
  func then(_ next: PixelTurn) -> PixelTurn {
    // What the next one reverses is, before this one transposes, the other side.
    PixelTurn(
      transposes: transposes != next.transposes,
      reversesX: reversesX != (transposes ? next.reversesY : next.reversesX),
      reversesY: reversesY != (transposes ? next.reversesX : next.reversesY))
  }

  /// The part of pixels of some size that becomes a part of what they are turned to.
  func source(of rect: PixelRect, in size: PixelSize) -> PixelRect {
    var result = rect
    if transposes {
      result = PixelRect(x: rect.y, y: rect.x, width: rect.height, height: rect.width)
    }
    if reversesX { result.x = size.width - result.x - result.width }
    if reversesY { result.y = size.height - result.y - result.height }
    return result
  }

  /// The size that pixels of this size are turned to.
  func size(of size: PixelSize) -> PixelSize {
    transposes ? PixelSize(width: size.height, height: size.width) : size
  }
}
