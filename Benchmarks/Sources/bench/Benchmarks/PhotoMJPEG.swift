import CBaselines
import Foundation
import Imaging

extension Benchmark {
  /// A camera's JPEG made into a photo, in memory, beside a C program that inserts ready segments.
  static let photoMJPEG = Benchmark(name: "photo-mjpeg", usualRounds: 200) { rounds in
    let scene = Scene()
    let camera = try scene.mjpeg()
    let exif = JPEGSegments.exif(orientation: 6)
    var room = [UInt8](repeating: 0, count: camera.frame.count + 4096)
    var plainSize = 0
    var metadata = ImageMetadata()
    metadata.orientation = .right
    metadata.dateTaken = Date(timeIntervalSince1970: 1_790_000_000)
    var file = Data()
    let pair = try await Pair.measure(rounds: rounds) {
      try ProcessorClock.process.cost(repeating: repetitions) {
        // Its memory can be used again then, as the base's room is.
        file = Data()
        file = try JPEGPassthrough.photo(from: camera.frame.span.bytes, metadata: metadata)
      }
    } base: {
      ProcessorClock.process.cost(repeating: repetitions) {
        plainSize = cb_jpeg_photo(
          camera.frame, camera.frame.count, exif, exif.count, camera.huffmanTables,
          camera.huffmanTables.count, &room, room.count)
      }
    }
    var result = Measurement(
      pair: pair, unit: "µs", baseName: "C pass-through into a ready buffer", limit: 3)
    let photo = [UInt8](file)
    result.check(
      JPEGSegments.scan(of: photo) == JPEGSegments.scan(of: camera.frame),
      "scan data is the camera's, byte for byte (\(camera.frame.count) bytes in, \(photo.count) out)"
    )
    result.check(
      !JPEGSegments.huffmanTables(of: photo).isEmpty && JPEGSegments.hasEXIF(photo),
      "the photo has Huffman tables and EXIF")
    result.check(
      scene.psnr(of: photo) > 30 && scene.psnr(of: photo) == scene.psnr(of: room.prefix(plainSize)),
      "it shows the pixels that the base's photo shows")
    return result
  }

  private static let repetitions = 20
}
