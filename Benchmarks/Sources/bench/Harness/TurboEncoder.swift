import CBaselines
import Imaging

/// The samples that TurboJPEG takes, ready: 4:2:0 and grey in full range.
struct TurboPicture {
  var samples: cb_samples
  var width: Int
  var height: Int
  var planes: [[UInt8]]

  /// Takes what the library's own conversion makes of a picture: the base does not pay for it.
  init(_ pixels: PixelBuffer) throws {
    (width, height) = (pixels.width, pixels.height)
    let ready: PixelBuffer
    switch pixels.format {
    case .bgra: (samples, ready) = (CB_BGRX, pixels)
    case .grey: (samples, ready) = (CB_GREY, try pixels.converted(to: .grey, color: .jpeg))
    default: (samples, ready) = (CB_420, try pixels.converted(to: .yuv420, color: .jpeg))
    }
    planes = ready.layout.planes.indices.map { Self.bytes(of: ready, plane: $0) }
  }

  private static func bytes(of pixels: PixelBuffer, plane: Int) -> [UInt8] {
    pixels.bytes(ofPlane: plane).withUnsafeBytes { Array($0) }
  }

  fileprivate func withNative<Result>(_ body: (cb_picture) -> Result) -> Result {
    planes[0].withUnsafeBufferPointer { first in
      planes[planes.count > 1 ? 1 : 0].withUnsafeBufferPointer { second in
        planes[planes.count - 1].withUnsafeBufferPointer { third in
          body(
            cb_picture(
              samples: samples, planes: (first.baseAddress, second.baseAddress, third.baseAddress),
              width: Int32(width), height: Int32(height)))
        }
      }
    }
  }
}

/// TurboJPEG as a C program uses it.
final class TurboEncoder {
  private let encoder: UnsafeMutableRawPointer

  init(for picture: TurboPicture) throws {
    guard
      let encoder = cb_turbo_create(
        picture.samples, Int32(picture.width), Int32(picture.height))
    else { throw BenchmarkFailure(description: "TurboJPEG gives no compressor") }
    self.encoder = encoder
  }

  deinit { cb_turbo_destroy(encoder) }

  /// - Returns: The file; valid until the next call.
  @discardableResult
  func encode(_ picture: TurboPicture, quality: Int) throws -> UnsafeBufferPointer<UInt8> {
    var bytes: UnsafePointer<UInt8>?
    let size = picture.withNative { cb_turbo_encode(encoder, $0, Int32(quality), &bytes) }
    guard size > 0 else { throw BenchmarkFailure(description: "TurboJPEG has failed") }
    return UnsafeBufferPointer(start: bytes, count: size)
  }

  /// The same picture twice at once, by two encoders in two threads.
  func encode(_ picture: TurboPicture, besides other: TurboEncoder, quality: Int) throws {
    let isDone = picture.withNative {
      cb_turbo_encode_twice(encoder, other.encoder, $0, Int32(quality)) != 0
    }
    guard isDone else { throw BenchmarkFailure(description: "TurboJPEG has failed") }
  }
}
