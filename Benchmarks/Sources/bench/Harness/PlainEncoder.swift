import CBaselines

/// libjpeg-turbo as a C program uses it: one compressor, one buffer, nothing allocated by picture.
final class PlainEncoder {
  private let encoder: UnsafeMutableRawPointer

  init(width: Int, height: Int) throws {
    guard let encoder = cb_encoder_create(Int32(width), Int32(height)) else {
      throw BenchmarkFailure(description: "libjpeg-turbo gives no compressor")
    }
    self.encoder = encoder
  }

  deinit { cb_encoder_destroy(encoder) }

  /// - Returns: The file; valid until the next call.
  @discardableResult
  func encode(_ planes: Planes, quality: Int) throws -> UnsafeBufferPointer<UInt8> {
    var bytes: UnsafePointer<UInt8>?
    let size = planes.y.withUnsafeBufferPointer { y in
      planes.u.withUnsafeBufferPointer { u in
        planes.v.withUnsafeBufferPointer { v in
          cb_encoder_planes(
            encoder,
            cb_planes(
              y: y.baseAddress, u: u.baseAddress, v: v.baseAddress, width: Int32(planes.width),
              height: Int32(planes.height)), Int32(quality), &bytes)
        }
      }
    }
    return try Self.checked(bytes, size)
  }

  /// Red, green, blue without gaps between rows.
  func encode(rgb: [UInt8], width: Int, height: Int, quality: Int) throws
    -> UnsafeBufferPointer<UInt8>
  {
    var bytes: UnsafePointer<UInt8>?
    let size = cb_encoder_rgb(encoder, rgb, Int32(width), Int32(height), Int32(quality), &bytes)
    return try Self.checked(bytes, size)
  }

  private static func checked(
    _ bytes: UnsafePointer<UInt8>?, _ size: Int
  ) throws -> UnsafeBufferPointer<UInt8> {
    guard size > 0 else { throw BenchmarkFailure(description: "libjpeg-turbo has failed") }
    return UnsafeBufferPointer(start: bytes, count: size)
  }
}
