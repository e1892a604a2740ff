import Foundation
import Imaging
import Testing

/// Pictures that can be told apart: a picture's number is its width.
enum NumberedPictures {
  /// A picture without bytes of its own.
  static func grey(width: Int, height: Int = 8) throws -> Image {
    let layout = try #require(PixelLayout(format: .grey, width: width, height: height))
    let bytes = [UInt8](repeating: 128, count: width * height)
    return Image(try #require(PixelBuffer(layout: layout, bytes: bytes)))
  }

  static func bytes(_ number: Int) throws -> Data {
    try #require(grey(width: number).jpegData(compressionQuality: 0.5))
  }

  static func image(_ number: Int) throws -> Image { try Image(bytes(number)) }
}
