import Foundation
import Testing

@testable import Imaging

/// Nothing that bytes can do ends the process.
@Suite(.timeLimit(.minutes(1)))
struct DamagedPicturesTests {
  /// A small, seeded source of numbers (SplitMix64), so that a failure can be repeated.
  private struct Numbers: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return mixed ^ (mixed >> 31)
    }
  }

  private static func originals() throws -> [Data] {
    var metadata = ImageMetadata()
    metadata.orientation = .left
    metadata.make = "Maker"
    metadata.dateTaken = Date(timeIntervalSince1970: 1_796_031_660.5)
    metadata.exposureTime = .init(1, 60)
    let jpeg = try JPEGEncoder().encode(
      Scene.gradient(width: 47, height: 37).pixels(.yuyv), metadata: metadata)
    return [
      jpeg, jpeg.asFromWebcam, StoredPictures.progressive, StoredPictures.arithmetic,
      StoredPictures.cmyk, Data([0x00, 0xFF, 0xD9, 0x11]) + jpeg + [0x00, 0x00],
    ]
  }

  private func readEverything(_ data: Data) {
    _ = try? data.jpegHeader()
    _ = data.isWholeJPEG
    _ = data.imageMetadata
    if let photo = try? data.photo(ImageMetadata()) {
      // What is given out as a photo has one EXIF segment and an end.
      #expect(photo.jpegMarkers.first == 0xE1)
      #expect(photo.suffix(2) == Data([0xFF, 0xD9]))
    }
    _ = try? data.completed()
    if let image = try? Image(data, limits: .init(pixelCount: 1 << 16)) {
      _ = try? image.orientedPixelBuffer()
      _ = try? image.partialPixelBuffer()
      _ = try? JPEGTransform.oriented(data, by: .right)
    }
  }

  @Test func survivesEveryTruncation() throws {
    for original in try Self.originals() {
      for length in 0..<original.count { readEverything(original.prefix(length).copied) }
    }
  }

  @Test func survivesRandomBytes() throws {
    var numbers = Numbers(state: 42)
    for original in try Self.originals() {
      for _ in 0..<150 {
        var damaged = original
        for _ in 0...Int.random(in: 0..<4, using: &numbers) {
          let place = Int.random(in: 0..<damaged.count, using: &numbers)
          damaged[place] = UInt8.random(in: 0...255, using: &numbers)
        }
        readEverything(damaged)
      }
    }
  }

  @Test func survivesDamagedHeaders() throws {
    var numbers = Numbers(state: 7)
    for original in try Self.originals() {
      let headers = original.jpegSegments.last?.range.upperBound ?? original.count
      for _ in 0..<150 {
        var damaged = original
        let place = Int.random(in: 2..<headers, using: &numbers)
        damaged[place] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &numbers) ?? 0
        readEverything(damaged)
      }
    }
  }
}
