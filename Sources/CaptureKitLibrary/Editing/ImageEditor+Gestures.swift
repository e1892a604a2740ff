public import Foundation
public import Imaging

/// What a user does, told in the coordinates of a view that shows the part in its
/// ``cropFrame(in:)``. A view without a size has no gestures: nothing changes.
extension ImageEditor {
  /// Zooms in or out; the picture's point beneath a point of the view stays there.
  ///
  /// Where the part meets the picture's edge it moves away from it as it grows.
  ///
  /// - Parameters:
  ///   - factor: Above 1 to zoom in, below to zoom out: a pinch's change since the last call. What
  ///     is not above 0 changes nothing.
  ///   - point: A point of the view, as the pointer's, or the middle between two fingers.
  ///   - view: The view's size.
  public mutating func zoom(by factor: Double, at point: CGPoint, in view: CGSize) {
    guard factor > 0, let anchor = imagePoint(at: point, in: view) else { return }
    let (from, to) = (zoom, min(max(zoom * factor, 1), mostZoom))
    guard from != to else { return }
    let (midX, midY) = (area.midX, area.midY)
    resize(toZoom: to)
    let scale = from / to
    move(
      toMidX: Double(anchor.x) + (midX - Double(anchor.x)) * scale,
      midY: Double(anchor.y) + (midY - Double(anchor.y)) * scale)
  }

  /// Zooms to a factor about the part's middle, for front ends with a slider or keys.
  ///
  /// - Parameter zoom: 1 for the largest part; beyond the limits the nearest is taken. What is no
  ///   number changes nothing.
  public mutating func setZoom(_ zoom: Double) {
    guard !zoom.isNaN else { return }
    resize(toZoom: min(max(zoom, 1), mostZoom))
  }

  /// Moves the picture beneath the view, as a finger that holds it does.
  ///
  /// - Parameters:
  ///   - translation: How far, in units of the view: to the right and down for what is above 0.
  ///   - view: The view's size.
  public mutating func pan(by translation: CGPoint, in view: CGSize) {
    guard let scale = scale(in: view) else { return }
    let (dx, dy) = (Double(translation.x) / scale, Double(translation.y) / scale)
    let (x, y) =
      switch quarterTurns {
      case 1: (dy, -dx)
      case 2: (-dx, -dy)
      case 3: (-dy, dx)
      default: (dx, dy)
      }
    move(toMidX: area.midX - x, midY: area.midY - y)
  }

  /// Turns the picture; what is in the middle of the view stays there, as far as its edges allow.
  ///
  /// A part that is no square but has its proportions fixed becomes another one of the same zoom;
  /// any other part stays what it is.
  ///
  /// - Parameter rotation: How the picture is turned, as the user sees it.
  public mutating func rotate(_ rotation: Image.Rotation) {
    switch rotation {
    case .clockwise90: turn(quarters: 1)
    case .half: turn(quarters: 2)
    case .counterclockwise90: turn(quarters: 3)
    }
  }
}
