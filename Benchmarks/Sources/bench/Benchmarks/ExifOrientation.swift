import CBaselines
import Foundation
import Imaging

extension Benchmark {
  /// Another orientation for a picture's file in memory, read and written, beside copying the file.
  static let exifOrientation = Benchmark(name: "exif-orientation", usualRounds: 200) { rounds in
    let file = try twelveMegapixels()
    let bytes = [UInt8](file)
    var room = [UInt8](repeating: 0, count: bytes.count)
    var turned = Data()
    let pair = try await Pair.measure(rounds: rounds) {
      try ProcessorClock.thread.cost(repeating: repetitions) {
        turned = try Image(file).withOrientation(.right).encodedData ?? Data()
      }
    } base: {
      ProcessorClock.thread.cost(repeating: repetitions) {
        cb_copy(&room, bytes, bytes.count)
      }
    }
    var result = Measurement(
      pair: pair, unit: "µs", baseName: "memcpy of the file into a ready buffer", limit: 2)
    let differences = zip(turned, file).reduce(0) { $0 + ($1.0 == $1.1 ? 0 : 1) }
    result.check(
      turned.count == file.count && differences == 1,
      "one byte of \(file.count) differs, and no other length")
    result.check(try Image(turned).orientation == .right, "the orientation is read back")
    return result
  }

  private static let repetitions = 10

  /// A camera's picture: EXIF with an orientation, a date and a maker, a scene in 4:2:2.
  private static func twelveMegapixels() throws -> Data {
    let scene = Scene(width: 4000, height: 3000)
    let encoder = try PlainEncoder(width: scene.width, height: scene.height)
    let plain = try encoder.encode(
      rgb: scene.rgb, width: scene.width, height: scene.height, quality: 80)
    var metadata = ImageMetadata()
    metadata.make = "Maker"
    metadata.dateTaken = Date(timeIntervalSince1970: 1_790_000_000)
    metadata.orientation = .up
    guard let data = try Image(Data(plain)).settingMetadata(metadata).encodedData else {
      throw BenchmarkFailure(description: "no file was made")
    }
    return data
  }
}
