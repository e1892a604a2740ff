import Foundation

@testable import Imaging

/// Calls that take spans, for expectations: their macros cannot pass a span on.
extension Data {
  func jpegHeader() throws(ImagingError) -> JPEGHeader { try JPEGHeader(parsing: bytes) }

  func photo(_ metadata: ImageMetadata) throws(ImagingError) -> Data {
    try JPEGPassthrough.photo(from: bytes, metadata: metadata)
  }

  func completed() throws(ImagingError) -> Data { try JPEGPassthrough.completing(bytes) }

  var isWholeJPEG: Bool { JPEGPassthrough.isWhole(bytes) }

  var imageMetadata: ImageMetadata { ImageMetadata(reading: bytes) }

  /// The same bytes, counted from 0.
  var copied: Data { Data(Array(self)) }
}
