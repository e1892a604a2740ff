import Foundation
import Imaging

/// The bytes of a buffer that may be written to.
// Made and freed by itself; in between only those read and write who hold the buffer's lock.
final class OwnPixelBytes: @unchecked Sendable {
  private let blocks: [UnsafeMutableRawBufferPointer]

  /// Whether a picture's own bytes have no address that holds: those of a tiny `Data` move.
  static func isNeeded(for pixels: PixelBuffer) -> Bool { pixels.byteCount < 64 }

  /// Copies a picture with its layout; nil where there is no memory for it.
  init?(copying pixels: PixelBuffer) {
    var blocks: [UnsafeMutableRawBufferPointer] = []
    for block in 0..<pixels.layout.blockCount {
      let byteCount = pixels.layout.byteCount(ofBlock: block)
      guard let memory = calloc(max(byteCount, 1), 1) else {
        for block in blocks { free(block.baseAddress) }
        return nil
      }
      blocks.append(UnsafeMutableRawBufferPointer(start: memory, count: byteCount))
    }
    self.blocks = blocks
    for (index, plane) in pixels.layout.planes.enumerated() {
      pixels.bytes(ofPlane: index).withUnsafeBytes { bytes in
        UnsafeMutableRawBufferPointer(rebasing: blocks[plane.block][plane.offset...])
          .copyMemory(from: bytes)
      }
    }
  }

  deinit {
    for block in blocks { free(block.baseAddress) }
  }

  func address(of plane: PixelLayout.Plane) -> UnsafeMutableRawPointer? {
    blocks[plane.block].baseAddress?.advanced(by: plane.offset)
  }

  /// The bytes as they are now, as a picture.
  func picture(like original: PixelBuffer) -> PixelBuffer? {
    PixelBuffer(
      layout: original.layout, color: original.color,
      blocks: blocks.map { SharedBytes([UInt8]($0)) })
  }
}

// MARK: - Core Video's functions

/// Where the first row begins, of a picture of several planes that of the first one.
///
/// - Parameter pixelBuffer: A locked buffer.
/// - Returns: The address, valid until the buffer is unlocked; what is written there after a lock
///   for reading is undefined. nil where the buffer is not locked.
public func CVPixelBufferGetBaseAddress(_ pixelBuffer: CVPixelBuffer) -> UnsafeMutableRawPointer? {
  pixelBuffer.address(ofPlane: 0)
}

/// Where a plane's first row begins.
///
/// - Parameters:
///   - pixelBuffer: A locked buffer.
///   - planeIndex: From 0.
/// - Returns: The address, as ``CVPixelBufferGetBaseAddress(_:)``; nil where the picture has no
///   such plane, or no planes at all.
public func CVPixelBufferGetBaseAddressOfPlane(
  _ pixelBuffer: CVPixelBuffer, _ planeIndex: Int
) -> UnsafeMutableRawPointer? {
  pixelBuffer.plane(planeIndex) == nil ? nil : pixelBuffer.address(ofPlane: planeIndex)
}

extension CVPixelBuffer {
  fileprivate func address(ofPlane plane: Int) -> UnsafeMutableRawPointer? {
    lend { original, own in
      if let own { return own.address(of: original.layout.planes[plane]) }
      // The picture keeps its bytes where they are, and this buffer keeps the picture.
      return original.bytes(ofPlane: plane).withUnsafeBytes { bytes in
        UnsafeMutableRawPointer(mutating: bytes.baseAddress)
      }
    }
  }
}
