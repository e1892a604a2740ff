import CTurboJPEG
import Foundation

@testable import Imaging

/// TurboJPEG's own encoder and decoder, which share no code of ours.
final class TurboJPEG {
  private let encoder: tjhandle
  private let decoder: tjhandle

  static let samplings: [TJSAMP] = [
    TJSAMP_444, TJSAMP_422, TJSAMP_420, TJSAMP_GRAY, TJSAMP_440, TJSAMP_411,
  ]

  init() throws {
    encoder = try require(tjInitCompress())
    decoder = try require(tjInitDecompress())
  }

  deinit {
    tjDestroy(encoder)
    tjDestroy(decoder)
  }

  /// Encodes the first columns and rows of BGRA samples.
  func encode(
    _ samples: [UInt8], bytesPerRow: Int, _ size: PixelSize, _ sampling: TJSAMP,
    isProgressive: Bool = false, quality: Int32 = 90
  ) throws -> Data {
    var bytes: UnsafeMutablePointer<UInt8>?
    var count: UInt = 0
    defer { tjFree(bytes) }
    guard
      tjCompress2(
        encoder, samples, Int32(size.width), Int32(bytesPerRow), Int32(size.height),
        Int32(TJPF_BGRA.rawValue), &bytes, &count, Int32(sampling.rawValue), quality,
        isProgressive ? TJFLAG_PROGRESSIVE : 0) == 0
    else { throw MissingValue() }
    return try Data(bytes: require(bytes), count: Int(count))
  }

  /// Decodes to BGRA.
  func decode(_ jpeg: Data, _ size: PixelSize) throws -> [UInt8] {
    var samples = [UInt8](repeating: 0, count: size.width * size.height * 4)
    let status = jpeg.withUnsafeBytes { bytes in
      tjDecompress2(
        decoder, bytes.assumingMemoryBound(to: UInt8.self).baseAddress, UInt(bytes.count),
        &samples, Int32(size.width), 0, Int32(size.height), Int32(TJPF_BGRA.rawValue), 0)
    }
    guard status == 0 else { throw MissingValue() }
    return samples
  }
}
