/// How stored rows and columns are to be shown, as EXIF's `Orientation` tag (0x0112) counts.
public enum ImageOrientation: Int, CaseIterable, Hashable, Sendable {
  /// As stored (1).
  case up = 1
  /// Mirrored left to right (2).
  case upMirrored
  /// Turned by a half (3).
  case down
  /// Mirrored top to bottom (4).
  case downMirrored
  /// Stored rows are the left side, top first (5).
  case leftMirrored
  /// To be turned a quarter clockwise to be shown (6).
  case right
  /// Stored rows are the right side, bottom first (7).
  case rightMirrored
  /// To be turned a quarter counter-clockwise to be shown (8).
  case left
}

extension ImageOrientation {
  /// Whether width and height change places when the picture is shown.
  public var swapsSides: Bool { rawValue >= 5 }
}
