import Foundation

extension Image {
  /// A part of the picture, turned, in one step: what has to be encoded again is so once.
  ///
  /// A JPEG whose blocks cannot be turned without loss, but can be cut without it, keeps them as
  /// they are and has its orientation tag tell the turn.
  ///
  /// - Parameters:
  ///   - rect: The part, in pixels of the picture as it is shown.
  ///   - quarterTurns: How often it is turned clockwise by a quarter, then.
  ///   - oddEdges: What to do where a JPEG's blocks do not allow it.
  /// - Returns: A new picture, and how it was made of this one; pixels are `.lossless`.
  /// - Throws: As ``cropped(to:oddEdges:)-(PixelRect,_)``.
  package func part(
    _ rect: PixelRect, quarterTurns: Int, oddEdges: OddEdges
  ) throws(ImagingError) -> (image: Image, outcome: JPEGTransform.Outcome) {
    guard rect.lies(within: size) else {
      throw ImagingError(
        .invalidRectangle, "\(rect) is no part of a picture of \(size) pixels.")
    }
    let upright = PixelTurn(undoing: orientation)
    let part = upright.source(
      of: rect, in: PixelSize(width: pixelWidth, height: pixelHeight))
    let turn = upright.then(PixelTurn(quarterTurns: quarterTurns))
    let turned = PixelEdit(rect: part, turn: turn, orientation: .up)
    let tagged = PixelEdit(rect: part, turn: .none, orientation: turn.orientation)
    let isTurned = turn != upright
    guard let encodedData, format == .jpeg else {
      return (try edited(isTurned ? turned : tagged, oddEdges), .lossless)
    }
    for edit in isTurned ? [turned, tagged] : [tagged] {
      do throws(ImagingError) {
        let (data, outcome) = try JPEGTransform.edited(
          encodedData.bytes, edit, oddEdges: .fail, limits: limits)
        return (try Image(data, limits: limits), outcome)
      } catch {
        guard error.code == .unsupported else { throw error }
      }
    }
    let (data, outcome) = try JPEGTransform.edited(
      encodedData.bytes, isTurned ? turned : tagged, oddEdges: oddEdges, limits: limits)
    return (try Image(data, limits: limits), outcome)
  }
}

extension PixelTurn {
  /// Quarter turns clockwise; any number, those to the left are negative.
  fileprivate init(quarterTurns: Int) {
    switch quarterTurns & 3 {
    case 1: self.init(undoing: .right)
    case 2: self.init(undoing: .down)
    case 3: self.init(undoing: .left)
    default: self = .none
    }
  }
}
