public import Foundation
import Imaging

/// What Core Video's calls answer.
public typealias CVReturn = Int32

/// It worked.
public let kCVReturnSuccess: CVReturn = 0
/// There is no such thing: a buffer was unlocked that nobody has locked.
public let kCVReturnInvalidArgument: CVReturn = -6661
/// There is no memory for a buffer's own bytes.
public let kCVReturnAllocationFailed: CVReturn = -6662

/// How a buffer is locked; Core Video's `CVPixelBufferLockFlags`.
public struct CVPixelBufferLockFlags: OptionSet, Hashable, Sendable {
  /// The bits.
  public let rawValue: UInt64

  /// Takes bits.
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// Nothing will be written, and nothing is copied.
  public static let readOnly = CVPixelBufferLockFlags(rawValue: 1)
}

/// Lets a buffer's addresses be asked for, until it is unlocked as often as it was locked.
///
/// - Parameters:
///   - pixelBuffer: The buffer.
///   - lockFlags: `readOnly` lends the camera's own bytes; otherwise the buffer gets bytes of its
///     own at the first such lock.
/// - Returns: ``kCVReturnSuccess``, or ``kCVReturnAllocationFailed``: it is not locked then.
@discardableResult
public func CVPixelBufferLockBaseAddress(
  _ pixelBuffer: CVPixelBuffer, _ lockFlags: CVPixelBufferLockFlags
) -> CVReturn {
  pixelBuffer.lock(forWriting: !lockFlags.contains(.readOnly))
    ? kCVReturnSuccess : kCVReturnAllocationFailed
}

/// Ends a lock.
///
/// - Parameters:
///   - pixelBuffer: The buffer.
///   - unlockFlags: Those of the lock.
/// - Returns: ``kCVReturnSuccess``, or ``kCVReturnInvalidArgument`` where it was not locked.
@discardableResult
public func CVPixelBufferUnlockBaseAddress(
  _ pixelBuffer: CVPixelBuffer, _ unlockFlags: CVPixelBufferLockFlags
) -> CVReturn {
  pixelBuffer.unlock() ? kCVReturnSuccess : kCVReturnInvalidArgument
}

// MARK: - What it is

/// The pixel format, `kCVPixelFormatType_…`; the kernel's characters where Apple has no name.
public func CVPixelBufferGetPixelFormatType(_ pixelBuffer: CVPixelBuffer) -> OSType {
  pixelBuffer.pixelFormatType
}

/// Pixels in a row.
public func CVPixelBufferGetWidth(_ pixelBuffer: CVPixelBuffer) -> Int { pixelBuffer.layout.width }

/// Rows.
public func CVPixelBufferGetHeight(_ pixelBuffer: CVPixelBuffer) -> Int {
  pixelBuffer.layout.height
}

/// Bytes from one row's start to the next one's, of several planes the first one's.
public func CVPixelBufferGetBytesPerRow(_ pixelBuffer: CVPixelBuffer) -> Int {
  pixelBuffer.layout.planes.first?.bytesPerRow ?? 0
}

/// Bytes of all planes.
public func CVPixelBufferGetDataSize(_ pixelBuffer: CVPixelBuffer) -> Int {
  let layout = pixelBuffer.layout
  return (0..<layout.blockCount).reduce(0) { $0 + layout.byteCount(ofBlock: $1) }
}

/// Whether luma and chroma have planes of their own.
public func CVPixelBufferIsPlanar(_ pixelBuffer: CVPixelBuffer) -> Bool {
  CVPixelBufferGetPlaneCount(pixelBuffer) > 0
}

/// The number of planes; 0 for a picture that has no several of them, as with Core Video.
public func CVPixelBufferGetPlaneCount(_ pixelBuffer: CVPixelBuffer) -> Int {
  pixelBuffer.layout.planes.count > 1 ? pixelBuffer.layout.planes.count : 0
}

/// Samples in a plane's row, pairs counting once; 0 where there is no such plane.
public func CVPixelBufferGetWidthOfPlane(_ pixelBuffer: CVPixelBuffer, _ planeIndex: Int) -> Int {
  guard pixelBuffer.plane(planeIndex) != nil else { return 0 }
  return planeIndex == 0 ? pixelBuffer.layout.width : (pixelBuffer.layout.width + 1) / 2
}

/// A plane's rows; 0 where there is no such plane.
public func CVPixelBufferGetHeightOfPlane(_ pixelBuffer: CVPixelBuffer, _ planeIndex: Int) -> Int {
  pixelBuffer.plane(planeIndex)?.rowCount ?? 0
}

/// Bytes from one of a plane's rows to the next; 0 where there is no such plane.
public func CVPixelBufferGetBytesPerRowOfPlane(
  _ pixelBuffer: CVPixelBuffer, _ planeIndex: Int
) -> Int {
  pixelBuffer.plane(planeIndex)?.bytesPerRow ?? 0
}

/// The picture's size as one of Core Graphics'.
public func CVImageBufferGetDisplaySize(_ imageBuffer: CVImageBuffer) -> CGSize {
  CGSize(width: imageBuffer.layout.width, height: imageBuffer.layout.height)
}

extension CVPixelBuffer {
  /// One of several planes; nil where there is no such plane, or no several.
  func plane(_ index: Int) -> PixelLayout.Plane? {
    layout.planes.count > 1 && layout.planes.indices.contains(index) ? layout.planes[index] : nil
  }
}
