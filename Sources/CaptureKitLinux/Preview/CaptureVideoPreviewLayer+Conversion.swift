public import Foundation
import Synchronization

extension CaptureVideoPreviewLayer {
  /// Where the camera's picture lies on the layer now.
  ///
  /// Before a camera runs the picture is taken to have the layer's own shape.
  public var geometry: PreviewGeometry {
    let look = output.renderer.look.withLock { $0 }
    let turn = connection?.uprightTurn
    let size = connection?.format?.dimensions ?? output.newest?.frame.dimensions
    return PreviewGeometry(
      imageSize: size ?? VideoDimensions(width: 1, height: 1), bounds: look.bounds,
      videoGravity: size == nil ? .resize : look.videoGravity,
      clockwiseAngle: turn?.clockwiseAngle ?? 0, isMirrored: turn?.isMirrored ?? false,
      pixelAspectRatio: look.pixelAspectRatio)
  }

  /// Which place of the camera's picture a layer point shows: what focus and exposure ask for.
  ///
  /// - Parameter pointInLayer: A point in the units of ``bounds``.
  /// - Returns: A point from (0, 0), the upper left corner of the picture as the camera sends it,
  ///   to (1, 1); outside of them where the point is not on the picture.
  public func captureDevicePointConverted(fromLayerPoint pointInLayer: CGPoint) -> CGPoint {
    geometry.captureDevicePoint(fromLayerPoint: pointInLayer)
  }

  /// Where a place of the camera's picture is seen.
  ///
  /// - Parameter captureDevicePointOfInterest: A device point, from (0, 0) to (1, 1).
  /// - Returns: The point in the units of ``bounds``.
  public func layerPointConverted(
    fromCaptureDevicePoint captureDevicePointOfInterest: CGPoint
  ) -> CGPoint {
    geometry.layerPoint(fromCaptureDevicePoint: captureDevicePointOfInterest)
  }

  /// Which part of the camera's picture a layer rectangle shows.
  ///
  /// - Parameter rectInLayerCoordinates: A rectangle in the units of ``bounds``.
  /// - Returns: The rectangle in device points.
  public func metadataOutputRectConverted(
    fromLayerRect rectInLayerCoordinates: CGRect
  ) -> CGRect {
    geometry.metadataOutputRect(fromLayerRect: rectInLayerCoordinates)
  }

  /// Where a part of the camera's picture is seen.
  ///
  /// - Parameter rectInMetadataOutputCoordinates: A rectangle in device points.
  /// - Returns: The rectangle in the units of ``bounds``.
  public func layerRectConverted(
    fromMetadataOutputRect rectInMetadataOutputCoordinates: CGRect
  ) -> CGRect {
    geometry.layerRect(fromMetadataOutputRect: rectInMetadataOutputCoordinates)
  }
}
