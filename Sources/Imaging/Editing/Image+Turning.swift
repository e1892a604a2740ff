extension Image {
  /// A turn of the picture as it is shown.
  public enum Rotation: Hashable, Sendable {
    /// A quarter turn clockwise: what was above is on the right.
    case clockwise90
    /// Half a turn.
    case half
    /// A quarter turn counter-clockwise: what was above is on the left.
    case counterclockwise90
  }

  /// A mirror image of the picture as it is shown.
  public enum Mirroring: Hashable, Sendable {
    /// Left and right change places.
    case horizontal
    /// What is above and what is below change places.
    case vertical
  }

  /// The picture turned; its pixels are upright then.
  ///
  /// A JPEG has its blocks of samples moved without decoding where their size allows it, and keeps
  /// what it says of itself. Other pictures are turned in pixels.
  ///
  /// - Parameters:
  ///   - rotation: How it is turned, as it is shown.
  ///   - oddEdges: What to do where a JPEG's blocks do not allow it.
  /// - Returns: A new picture of orientation `.up`, or with `OddEdges.exifOnly` one that may have
  ///   another.
  /// - Throws: `.corrupt` and `.incomplete` for damage, `.unsupported` for kinds that cannot be
  ///   decoded and where that was asked for, `.tooLarge` above the picture's limits.
  public func rotated(
    by rotation: Rotation, oddEdges: OddEdges = .reencode()
  ) throws(ImagingError) -> Image {
    try turned(rotation.turn, oddEdges)
  }

  /// The picture mirrored; its pixels are upright then.
  ///
  /// - Parameters:
  ///   - mirroring: How it is mirrored, as it is shown.
  ///   - oddEdges: What to do where a JPEG's blocks do not allow it.
  /// - Returns: As ``rotated(by:oddEdges:)``.
  /// - Throws: As ``rotated(by:oddEdges:)``.
  public func mirrored(
    _ mirroring: Mirroring = .horizontal, oddEdges: OddEdges = .reencode()
  ) throws(ImagingError) -> Image {
    try turned(mirroring.turn, oddEdges)
  }

  /// The picture with its pixels stored as they are shown: for whoever does not ask for the
  /// orientation.
  ///
  /// - Parameter oddEdges: What to do where a JPEG's blocks do not allow it; with `.exifOnly` the
  ///   picture stays.
  /// - Returns: A picture of orientation `.up`; this one where it is so.
  /// - Throws: As ``rotated(by:oddEdges:)``.
  public func bakingOrientation(
    oddEdges: OddEdges = .reencode()
  ) throws(ImagingError) -> Image {
    orientation == .up ? self : try turned(.none, oddEdges)
  }

  private func turned(_ turn: PixelTurn, _ oddEdges: OddEdges) throws(ImagingError) -> Image {
    let stored = PixelSize(width: pixelWidth, height: pixelHeight)
    let whole = PixelTurn(undoing: orientation).then(turn)
    return try edited(
      PixelEdit(rect: PixelRect(stored), turn: whole, orientation: .up), oddEdges)
  }
}

extension Image.Rotation {
  fileprivate var turn: PixelTurn {
    switch self {
    case .clockwise90: PixelTurn(undoing: .right)
    case .half: PixelTurn(undoing: .down)
    case .counterclockwise90: PixelTurn(undoing: .left)
    }
  }
}

extension Image.Mirroring {
  fileprivate var turn: PixelTurn {
    PixelTurn(undoing: self == .horizontal ? .upMirrored : .downMirrored)
  }
}
