import Imaging

/// What makes a camera's pictures upright: the one place where mounting and holding meet.
struct UprightTurn: Hashable {
  /// Degrees clockwise to be applied: 0, 90, 180 or 270.
  let clockwiseAngle: Int
  /// Whether the upright picture is then flipped left to right.
  let isMirrored: Bool

  /// Works out the turn.
  ///
  /// A back camera sees the device's turn the other way round than its user does, so holding is
  /// taken off there and added everywhere else.
  init(
    position: CaptureDevice.Position, mountingAngle: Int, orientation: CaptureVideoOrientation,
    isMirrored: Bool
  ) {
    let held = position == .back ? -orientation.heldAngle : orientation.heldAngle
    let quarters = Int((Double(mountingAngle % 360) / 90).rounded()) * 90
    clockwiseAngle = (((quarters + held) % 360) + 360) % 360
    self.isMirrored = isMirrored
  }

  /// The EXIF orientation that says so.
  var imageOrientation: ImageOrientation {
    switch (clockwiseAngle, isMirrored) {
    case (90, false): .right
    case (90, true): .leftMirrored
    case (180, false): .down
    case (180, true): .downMirrored
    case (270, false): .left
    case (270, true): .rightMirrored
    case (_, false): .up
    case (_, true): .upMirrored
    }
  }
}
