import CTurboJPEG
import Foundation

/// The only place that hands pointers to TurboJPEG.
enum TurboJPEGBridge {
  /// Turns and mirrors a JPEG picture without decoding its samples.
  ///
  /// - Parameters:
  ///   - jpeg: A whole picture.
  ///   - orientation: The orientation that it has and is to lose.
  ///   - trims: Whether odd blocks at an edge are cut off, which otherwise cannot be turned.
  /// - Returns: The picture, other segments copied; nil where it does not consist of whole blocks, or is of a
  ///   kind that cannot be turned in this way.
  static func transform(
    _ jpeg: RawSpan, undoing orientation: ImageOrientation, trims: Bool = false
  ) -> Data? {
    guard let handle = tjInitTransform() else { return nil }
    defer { tjDestroy(handle) }
    var transform = tjtransform()
    transform.op = Int32(operation(undoing: orientation).rawValue)
    transform.options = trims ? TJXOPT_TRIM : TJXOPT_PERFECT
    var result: UnsafeMutablePointer<UInt8>?
    var byteCount: UInt = 0
    let status = jpeg.withUnsafeBytes { bytes in
      tjTransform(
        handle, bytes.assumingMemoryBound(to: UInt8.self).baseAddress, UInt(bytes.count), 1,
        &result, &byteCount, &transform, TJFLAG_LIMITSCANS)
    }
    defer { tjFree(result) }
    // A warning means that samples are missing: the caller's decoder decides about those.
    guard status == 0, let result else { return nil }
    return Data(bytes: result, count: Int(byteCount))
  }

  private static func operation(undoing orientation: ImageOrientation) -> TJXOP {
    switch orientation {
    case .up: TJXOP_NONE
    case .upMirrored: TJXOP_HFLIP
    case .down: TJXOP_ROT180
    case .downMirrored: TJXOP_VFLIP
    case .leftMirrored: TJXOP_TRANSPOSE
    case .right: TJXOP_ROT90
    case .rightMirrored: TJXOP_TRANSVERSE
    case .left: TJXOP_ROT270
    }
  }
}
