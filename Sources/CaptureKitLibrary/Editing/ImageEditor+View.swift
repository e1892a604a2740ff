public import Foundation
import Imaging

/// Where things are in a view of any size: points from its upper left corner, in any unit.
///
/// A view whose sides are not between a thousandth and a thousand million has no place for anything.
extension ImageEditor {
  /// The frame that the part fills: as large as the view allows, in its middle.
  ///
  /// - Parameter view: The view's size.
  /// - Returns: Empty where the view is.
  public func cropFrame(in view: CGSize) -> CGRect {
    guard let scale = scale(in: view) else { return .zero }
    let (width, height) = turnedSides(area.width * scale, area.height * scale)
    return CGRect(
      x: (Double(view.width) - width) / 2, y: (Double(view.height) - height) / 2, width: width,
      height: height)
  }

  /// The frame of all of the picture, turned by ``quarterTurns``; it may be larger than the view.
  ///
  /// - Parameter view: The view's size.
  /// - Returns: Empty where the view is.
  public func imageFrame(in view: CGSize) -> CGRect {
    guard
      let one = viewPoint(of: .zero, in: view),
      let other = viewPoint(
        of: CGPoint(x: Double(imageSize.width), y: Double(imageSize.height)), in: view)
    else { return .zero }
    return CGRect(
      x: min(one.x, other.x), y: min(one.y, other.y), width: abs(other.x - one.x),
      height: abs(other.y - one.y))
  }

  /// The picture's point that is shown at a point of the view.
  ///
  /// - Parameters:
  ///   - point: A point of the view; it may lie outside of it.
  ///   - view: The view's size.
  /// - Returns: In pixels of the picture as it is shown before it is turned, perhaps outside of it;
  ///   nil where the view has no place for it, or the point is none.
  public func imagePoint(at point: CGPoint, in view: CGSize) -> CGPoint? {
    let (viewX, viewY) = (Double(point.x), Double(point.y))
    guard let scale = scale(in: view), viewX.isUsablePlace, viewY.isUsablePlace else { return nil }
    let x = (viewX - Double(view.width) / 2) / scale
    let y = (viewY - Double(view.height) / 2) / scale
    let (fromMidX, fromMidY) =
      switch quarterTurns {
      case 1: (y, -x)
      case 2: (-x, -y)
      case 3: (-y, x)
      default: (x, y)
      }
    return CGPoint(x: area.midX + fromMidX, y: area.midY + fromMidY)
  }

  /// The point of the view where a point of the picture is shown.
  ///
  /// - Parameters:
  ///   - point: In pixels of the picture as it is shown before it is turned.
  ///   - view: The view's size.
  /// - Returns: Perhaps outside of the view; nil where the view has no place for it, or the point
  ///   is none.
  public func viewPoint(of point: CGPoint, in view: CGSize) -> CGPoint? {
    let (imageX, imageY) = (Double(point.x), Double(point.y))
    guard let scale = scale(in: view), imageX.isUsablePlace, imageY.isUsablePlace else {
      return nil
    }
    let (x, y) = ((imageX - area.midX) * scale, (imageY - area.midY) * scale)
    let (fromMidX, fromMidY) =
      switch quarterTurns {
      case 1: (-y, x)
      case 2: (-x, -y)
      case 3: (y, -x)
      default: (x, y)
      }
    return CGPoint(
      x: Double(view.width) / 2 + fromMidX, y: Double(view.height) / 2 + fromMidY)
  }

  /// The view's units in a pixel of the picture; nil where the view has no size.
  func scale(in view: CGSize) -> Double? {
    let (width, height) = (Double(view.width), Double(view.height))
    guard width.isUsableSide, height.isUsableSide else { return nil }
    let sides = turnedSides(area.width, area.height)
    return min(width / sides.0, height / sides.1)
  }

  private func turnedSides(_ width: Double, _ height: Double) -> (Double, Double) {
    isOnItsSide ? (height, width) : (width, height)
  }
}

extension Double {
  fileprivate var isUsableSide: Bool { (1e-3...1e9).contains(self) }
  /// Far more than a view or a picture has, and products of these are still numbers.
  fileprivate var isUsablePlace: Bool { abs(self) <= 1e12 }
}
