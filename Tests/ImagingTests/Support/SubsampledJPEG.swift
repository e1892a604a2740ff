import CTurboJPEG
import Foundation

@testable import Imaging

/// JPEG pictures of every usual subsampling, made by TurboJPEG.
enum SubsampledJPEG: String, CaseIterable {
  case full = "4:4:4"
  case halfColumns = "4:2:2"
  case quarter = "4:2:0"
  case grey
  case halfRows = "4:4:0"
  case quarterColumns = "4:1:1"

  private var code: TJSAMP {
    switch self {
    case .full: TJSAMP_444
    case .halfColumns: TJSAMP_422
    case .quarter: TJSAMP_420
    case .grey: TJSAMP_GRAY
    case .halfRows: TJSAMP_440
    case .quarterColumns: TJSAMP_411
    }
  }

  /// Encodes a scene; `quality` is 1 to 100.
  func data(_ scene: Scene, quality: Int32 = 98, isProgressive: Bool = false) throws -> Data {
    let pixels = try scene.pixels(.bgra32)
    return try TurboJPEG().encode(
      pixels.withUnsafePlanes { Array($0[0]) }, bytesPerRow: pixels.layout.planes[0].bytesPerRow,
      pixels.size, code, isProgressive: isProgressive, quality: quality)
  }
}

extension Data {
  /// With another size in the frame header; the blocks stay.
  func declaring(width: Int, height: Int) throws -> Data {
    let frame = try require(jpegSegments.first { (0xC0...0xC2).contains($0.marker) })
    var data = self
    let place = frame.range.lowerBound + 5
    for (offset, value) in [height >> 8, height & 255, width >> 8, width & 255].enumerated() {
      data[place + offset] = UInt8(value)
    }
    return data
  }
}
