public import Foundation

/// Where a camera's picture lies on a layer: pure geometry, which turns points of one into points
/// of the other.
///
/// Device points count from (0, 0), the upper left corner of the picture as the camera sends it, to
/// (1, 1), its lower right one, whatever the layer does to it. Layer points have the units and the
/// origin of the layer's bounds, y downwards. Points outside of the picture are converted in the
/// same way; nothing is clipped. An empty layer or picture has no place for a point: the answer is
/// zero.
public struct PreviewGeometry: Equatable, Sendable {
  /// The size of the picture as the camera sends it, in pixels.
  public let imageSize: VideoDimensions
  /// The layer's place, in units of one's own.
  public let bounds: CGRect
  /// How the picture fills the layer.
  public let videoGravity: LayerVideoGravity
  /// Degrees clockwise that make the picture upright: 0, 90, 180 or 270.
  public let clockwiseAngle: Int
  /// Whether the upright picture is then flipped left to right.
  public let isMirrored: Bool
  /// How wide a unit of the bounds is seen, divided by how high it is seen; 1 where it is square.
  public let pixelAspectRatio: Double
  /// Where the whole upright picture lies; with `resizeAspectFill` it reaches beyond the bounds.
  public let videoRect: CGRect

  /// Places a picture on a layer.
  ///
  /// - Parameters:
  ///   - imageSize: The size of the picture as the camera sends it.
  ///   - bounds: The layer's place.
  ///   - videoGravity: How the picture fills it.
  ///   - clockwiseAngle: Degrees clockwise that make the picture upright; brought to the nearest
  ///     quarter turn.
  ///   - isMirrored: Whether the upright picture is then flipped left to right.
  ///   - pixelAspectRatio: How wide a unit of the bounds is seen, divided by how high it is seen:
  ///     of a screen's pixels 1, of a terminal's half cells often another. What is not above 0 and
  ///     finite counts as 1.
  public init(
    imageSize: VideoDimensions, bounds: CGRect,
    videoGravity: LayerVideoGravity = .resizeAspect, clockwiseAngle: Int = 0,
    isMirrored: Bool = false, pixelAspectRatio: Double = 1
  ) {
    let quarters = Int((Double(clockwiseAngle % 360) / 90).rounded())
    self.imageSize = imageSize
    self.bounds = bounds
    self.videoGravity = videoGravity
    self.clockwiseAngle = ((quarters % 4) + 4) % 4 * 90
    self.isMirrored = isMirrored
    let ratio = pixelAspectRatio.isNormal && pixelAspectRatio > 0 ? pixelAspectRatio : 1
    self.pixelAspectRatio = ratio
    let swaps = !quarters.isMultiple(of: 2)
    // In units that are as narrow as those of the bounds, the picture has more or fewer of them.
    videoRect = Self.videoRect(
      width: Double(swaps ? imageSize.height : imageSize.width) / ratio,
      height: Double(swaps ? imageSize.width : imageSize.height), in: bounds, videoGravity)
  }

  private static func videoRect(
    width: Double, height: Double, in bounds: CGRect, _ gravity: LayerVideoGravity
  ) -> CGRect {
    guard width > 0, height > 0, bounds.width > 0, bounds.height > 0 else {
      return CGRect(x: bounds.midX, y: bounds.midY, width: 0, height: 0)
    }
    let across = bounds.width / width
    let down = bounds.height / height
    let scale: Double
    switch gravity {
    case .resize: return bounds
    case .resizeAspect: scale = min(across, down)
    case .resizeAspectFill: scale = max(across, down)
    }
    // The side that fits is the layer's own, to the last digit.
    let size = CGSize(
      width: scale == across ? bounds.width : width * scale,
      height: scale == down ? bounds.height : height * scale)
    return CGRect(
      x: bounds.minX + (bounds.width - size.width) / 2,
      y: bounds.minY + (bounds.height - size.height) / 2, width: size.width, height: size.height)
  }
}

// MARK: - Points

extension PreviewGeometry {
  /// Which place of the camera's picture a layer point shows.
  ///
  /// - Parameter point: A point in the units of ``bounds``.
  /// - Returns: The device point, within 0…1 where the point lies on the picture.
  public func captureDevicePoint(fromLayerPoint point: CGPoint) -> CGPoint {
    guard videoRect.width > 0, videoRect.height > 0 else { return .zero }
    let across = (point.x - videoRect.minX) / videoRect.width
    let down = (point.y - videoRect.minY) / videoRect.height
    let unmirrored = isMirrored ? 1 - across : across
    switch clockwiseAngle {
    case 90: return CGPoint(x: down, y: 1 - unmirrored)
    case 180: return CGPoint(x: 1 - unmirrored, y: 1 - down)
    case 270: return CGPoint(x: 1 - down, y: unmirrored)
    default: return CGPoint(x: unmirrored, y: down)
    }
  }

  /// Where a place of the camera's picture is seen on the layer.
  ///
  /// - Parameter point: A device point.
  /// - Returns: The point in the units of ``bounds``; outside of them where the place is cut off.
  public func layerPoint(fromCaptureDevicePoint point: CGPoint) -> CGPoint {
    let turned =
      switch clockwiseAngle {
      case 90: CGPoint(x: 1 - point.y, y: point.x)
      case 180: CGPoint(x: 1 - point.x, y: 1 - point.y)
      case 270: CGPoint(x: point.y, y: 1 - point.x)
      default: point
      }
    let across = isMirrored ? 1 - turned.x : turned.x
    return CGPoint(
      x: videoRect.minX + across * videoRect.width, y: videoRect.minY + turned.y * videoRect.height)
  }
}

// MARK: - Rectangles

extension PreviewGeometry {
  /// Which part of the camera's picture a layer rectangle shows.
  ///
  /// - Parameter rect: A rectangle in the units of ``bounds``.
  /// - Returns: The rectangle in device points.
  public func metadataOutputRect(fromLayerRect rect: CGRect) -> CGRect {
    Self.spanning(
      captureDevicePoint(fromLayerPoint: CGPoint(x: rect.minX, y: rect.minY)),
      captureDevicePoint(fromLayerPoint: CGPoint(x: rect.maxX, y: rect.maxY)))
  }

  /// Where a part of the camera's picture is seen on the layer.
  ///
  /// - Parameter rect: A rectangle in device points.
  /// - Returns: The rectangle in the units of ``bounds``.
  public func layerRect(fromMetadataOutputRect rect: CGRect) -> CGRect {
    Self.spanning(
      layerPoint(fromCaptureDevicePoint: CGPoint(x: rect.minX, y: rect.minY)),
      layerPoint(fromCaptureDevicePoint: CGPoint(x: rect.maxX, y: rect.maxY)))
  }

  /// Turns by quarters and mirrors keep sides straight: two opposite corners say all.
  private static func spanning(_ a: CGPoint, _ b: CGPoint) -> CGRect {
    CGRect(
      x: min(a.x, b.x), y: min(a.y, b.y), width: abs(a.x - b.x), height: abs(a.y - b.y))
  }
}
