import Imaging

/// How a picture is turned and mirrored to be shown, as movies say it: two rows of
/// `x' = a·x + c·y + tx, y' = b·x + d·y + ty`, stored coordinates to shown ones.
///
/// The nine numbers are those of `AV_PKT_DATA_DISPLAYMATRIX` and of QuickTime's track header.
struct DisplayMatrix: Hashable, Sendable {
  /// `a b u c d v tx ty w`; `u`, `v` and `w` with 30 bits behind the point, the others with 16.
  let elements: [Int32]

  private static let one: Int32 = 1 << 16

  /// `a b c d` of each orientation.
  private static let turns: [ImageOrientation: [Int32]] = [
    .up: [1, 0, 0, 1], .upMirrored: [-1, 0, 0, 1],
    .down: [-1, 0, 0, -1], .downMirrored: [1, 0, 0, -1],
    .leftMirrored: [0, 1, 1, 0], .right: [0, 1, -1, 0],
    .rightMirrored: [0, -1, -1, 0], .left: [0, -1, 1, 0],
  ]

  /// Says an orientation.
  ///
  /// - Parameters:
  ///   - orientation: What makes the picture upright.
  ///   - width: Its stored pixels in a row, by which it is moved back to where it begins.
  ///   - height: Its stored rows.
  init(_ orientation: ImageOrientation, width: Int, height: Int) {
    let turn = Self.turns[orientation] ?? [1, 0, 0, 1]
    func side(_ x: Int32, _ y: Int32) -> Int32 {
      let length = (x < 0 ? width : 0) + (y < 0 ? height : 0)
      return Int32(clamping: length << 16)
    }
    elements = [
      turn[0] * Self.one, turn[1] * Self.one, 0, turn[2] * Self.one, turn[3] * Self.one, 0,
      side(turn[0], turn[2]), side(turn[1], turn[3]), 1 << 30,
    ]
  }

  /// Takes nine numbers as a movie has them; nil for another count.
  init?(_ elements: [Int32]) {
    guard elements.count == 9 else { return nil }
    self.elements = elements
  }

  /// The orientation that is meant: the nearest one where the picture is turned by another angle
  /// or scaled.
  var orientation: ImageOrientation {
    let given = [elements[0], elements[1], elements[3], elements[4]].map(Double.init)
    func likeness(_ turn: [Int32]) -> Double {
      zip(given, turn).reduce(0) { $0 + $1.0 * Double($1.1) }
    }
    let best = ImageOrientation.allCases.max { one, other in
      likeness(Self.turns[one] ?? []) < likeness(Self.turns[other] ?? [])
    }
    return given.allSatisfy({ $0 == 0 }) ? .up : best ?? .up
  }
}

// MARK: - Matroska

extension DisplayMatrix {
  /// An orientation as Matroska's `ProjectionPoseYaw` and `ProjectionPoseRoll` (RFC 9559): flipped
  /// left to right where yaw is 180, then turned by roll, degrees counter-clockwise.
  static func pose(of orientation: ImageOrientation) -> (yaw: Int32, roll: Int32) {
    switch orientation {
    case .up: (0, 0)
    case .upMirrored: (180, 0)
    case .down: (0, 180)
    case .downMirrored: (180, 180)
    case .leftMirrored: (180, 90)
    case .right: (0, -90)
    case .rightMirrored: (180, -90)
    case .left: (0, 90)
    }
  }

  /// The name of a Matroska track's tag with the orientation as EXIF counts it, for readers that do
  /// not know of `ProjectionPoseRoll`.
  static let orientationTag = "ORIENTATION"
}
