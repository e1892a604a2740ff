import CaptureKitLinux
import Foundation
import Imaging

/// How a simulated camera compresses its pictures.
struct JPEGStyle: Hashable, Sendable {
  var quality = 0.9
  var omitsHuffmanTables = false

  func encode(_ canvas: PixelCanvas) throws -> Data {
    guard let picture = canvas.pixelBuffer else { throw CaptureError(.backendFailed) }
    let jpeg = try JPEGEncoder(quality: quality).encode(picture)
    return omitsHuffmanTables ? JPEGMarkers(jpeg)?.withoutHuffmanTables ?? jpeg : jpeg
  }
}
