import Foundation
import TestSupport
import Testing

@testable import Imaging

/// No memory is an error like others, and nothing is kept of what failed.
@Suite(.timeLimit(.minutes(1)))
struct ScarceMemoryTests {
  private static func error(_ body: () throws -> Void) -> ImagingError? {
    do {
      try body()
      return nil
    } catch {
      return error as? ImagingError
    }
  }

  @Test func saysThatAConversionHasNoMemory() async {
    await #expect(processExitsWith: .success) {
      let pixels = try Scene(width: 60_000, height: 4) { x, _ in
        Scene.Color(red: Double(x & 255), green: 9, blue: 9)
      }.pixels(.yuyv)
      let pool = PixelPool()
      // The target's memory waits in the pool: the rows on the way are all that is missing.
      _ = try pixels.converted(to: .yuv420, color: .jpeg, from: pool)
      let error = ScarceMemory.whileRefusing(blocksOf: 512 << 10, leaving: 64 << 10) {
        Self.error { _ = try pixels.converted(to: .yuv420, color: .jpeg, from: pool) }
      }
      #expect(error?.code == .tooLarge)
      #expect(error?.description.contains("no memory") == true)
      #expect(try pixels.converted(to: .yuv420, color: .jpeg, from: pool).width == 60_000)
    }
  }

  /// Of noise a JPEG needs more room than an encoder takes at first, and so does a PNG.
  @Test func saysThatAnEncodersBytesHaveNoMemory() async {
    await #expect(processExitsWith: .success) {
      let pixels = try Scene.noise(width: 1200, height: 1000).pixels(.grey)
      let encoder = JPEGEncoder(quality: 1)
      try #require(encoder.encode(pixels).count > 1_050_000)
      try #require(LibPNGBridge.encode(pixels).count > 1_050_000)
      let before = ProcessMemory.allocated
      let errors = ScarceMemory.whileRefusing(blocksOf: 1 << 20, leaving: 800 << 10) {
        (
          Self.error { _ = try encoder.encode(pixels) },
          Self.error { _ = try LibPNGBridge.encode(pixels) }
        )
      }
      let kept = ProcessMemory.allocated - before
      for error in [errors.0, errors.1] {
        #expect(error?.code == .tooLarge)
        #expect(error?.description.contains("no memory") == true, "\(String(describing: error))")
      }
      #expect(kept < 100_000, "\(kept) bytes are kept")
      #expect(try encoder.encode(pixels).count > 1_050_000)
    }
  }

  @Test func saysThatAFilesBytesHaveNoMemory() async {
    await #expect(processExitsWith: .success) {
      let folder = try ScratchFolder()
      let url = URL(filePath: try folder.file("large.png", Data(count: 3 << 20)))
      let error = ScarceMemory.whileRefusing(blocksOf: 1 << 20, leaving: 500 << 10) {
        Self.error { _ = try Image(contentsOf: url) }
      }
      #expect(error?.code == .tooLarge)
      #expect(error?.description.contains("no memory") == true)
      #expect(error?.description.contains(url.path) == true)
    }
  }

  @Test func keepsNothingOfWhatItRefuses() async {
    await #expect(processExitsWith: .success) {
      let folder = try ScratchFolder()
      var metadata = ImageMetadata()
      metadata.make = String(repeating: "x", count: 30_000)
      let jpeg = try JPEGEncoder().encode(
        Scene.noise(width: 640, height: 480).pixels(.nv12), metadata: metadata)
      let scan = try require(jpeg.jpegSegments.last).range
      let damaged = jpeg.prefix(jpeg.count / 2) + jpeg.suffix(jpeg.count / 4)
      let files: [Data] = [
        // Without a start, within EXIF, within the headers behind it, and within the scan.
        Data("no picture at all, but text".utf8), jpeg.prefix(9000).copied,
        jpeg.prefix(scan.lowerBound - 2).copied, jpeg.prefix(jpeg.count / 2).copied, damaged,
      ]
      for (index, data) in files.enumerated() {
        let url = URL(filePath: try folder.file("\(index).jpg", data))
        func refuse() {
          let refused = [
            Self.error { _ = try Image.thumbnail(contentsOf: url, maxPixelSize: 20) },
            Self.error { _ = try Image(data).thumbnail(maxPixelSize: 20) },
            Self.error { _ = try Image(data).pixelBuffer() },
          ]
          #expect(refused.allSatisfy { $0 != nil }, "\(index)")
        }
        for _ in 0..<3 { refuse() }
        let before = (ProcessMemory.allocated, ProcessMemory.descriptorCount)
        for _ in 0..<30 { refuse() }
        let kept = ProcessMemory.allocated - before.0
        #expect(kept < 60_000, "\(index): \(kept) bytes are kept")
        #expect(ProcessMemory.descriptorCount == before.1)
      }
    }
  }
}
