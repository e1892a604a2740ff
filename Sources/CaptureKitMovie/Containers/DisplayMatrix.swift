import Imaging

/// How a movie says that its pictures are to be turned and mirrored: the nine numbers of
/// ISO 14496-12's track header, rows `a b u`, `c d v`, `x y w`.
///
/// A stored pixel `(p, q)` is shown at `(a p + c q + x, b p + d q + y)`. All but `u`, `v` and `w`
/// are fractions of 65 536.
struct DisplayMatrix: Hashable, Sendable {
  /// `a b u c d v x y w`.
  let elements: [Int32]

  private static let one: Int32 = 1 << 16

  /// Takes a file's numbers; nil unless there are nine.
  init?(elements: [Int32]) {
    guard elements.count == 9 else { return nil }
    self.elements = elements
  }

  /// The matrix that shows pictures of this size upright.
  ///
  /// - Parameters:
  ///   - orientation: How stored pictures are to be shown.
  ///   - width: Pixels in a stored row.
  ///   - height: Stored rows.
  init(_ orientation: ImageOrientation, width: Int, height: Int) {
    let (a, b, c, d): (Int32, Int32, Int32, Int32) =
      switch orientation {
      case .up: (1, 0, 0, 1)
      case .upMirrored: (-1, 0, 0, 1)
      case .down: (-1, 0, 0, -1)
      case .downMirrored: (1, 0, 0, -1)
      case .leftMirrored: (0, 1, 1, 0)
      case .right: (0, 1, -1, 0)
      case .rightMirrored: (0, -1, -1, 0)
      case .left: (0, -1, 1, 0)
      }
    // What was turned to the left of the corner, or above it, is moved back.
    let across = a + c < 0 ? (orientation.swapsSides ? height : width) : 0
    let down = b + d < 0 ? (orientation.swapsSides ? width : height) : 0
    elements = [
      a * Self.one, b * Self.one, 0, c * Self.one, d * Self.one, 0, Self.fixed(across),
      Self.fixed(down), 1 << 30,
    ]
  }

  private static func fixed(_ pixels: Int) -> Int32 {
    Int32(clamping: min(max(pixels, 0), Int(Int16.max)) << 16)
  }

  /// The orientation that comes nearest: turns by parts of a quarter, and sizes, are left out.
  var orientation: ImageOrientation {
    let (a, b, c, d) = (elements[0], elements[1], elements[3], elements[4])
    if a.magnitude >= b.magnitude && d.magnitude >= c.magnitude {
      switch (a < 0, d < 0) {
      case (false, false): return .up
      case (true, false): return .upMirrored
      case (true, true): return .down
      case (false, true): return .downMirrored
      }
    }
    switch (b < 0, c < 0) {
    case (false, false): return .leftMirrored
    case (false, true): return .right
    case (true, true): return .rightMirrored
    case (true, false): return .left
    }
  }
}
