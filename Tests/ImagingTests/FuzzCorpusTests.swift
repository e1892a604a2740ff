import Foundation
import Testing

@testable import Imaging

/// What the fuzzers begin with and what they once found, without a fuzzer.
@Suite(.timeLimit(.minutes(1)))
struct FuzzCorpusTests {
  private static let folder = URL(filePath: #filePath).resolvingSymlinksInPath()
    .deletingLastPathComponent().appending(path: "../../Fuzz/corpus").standardizedFileURL

  private static func inputs() throws -> [Data] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).flatMap { target in
      let place = folder.appending(path: target)
      return try FileManager.default.contentsOfDirectory(atPath: place.path).map {
        // Inputs of the editing target say in eight bytes what is to be done.
        let data = try Data(contentsOf: place.appending(path: $0))
        return target == "editing" ? Data(data.dropFirst(8)) : data
      }
    }
  }

  @Test func survivesAllOfIt() throws {
    let inputs = try Self.inputs()
    #expect(inputs.count > 30)
    let limits = Image.Limits(pixelCount: 1 << 16)
    var edits = 0
    for data in inputs {
      _ = try? data.jpegHeader()
      _ = try? data.photo(ImageMetadata())
      _ = try? data.completed()
      guard let image = try? Image(data, limits: limits) else { continue }
      _ = try? image.partialPixelBuffer()
      _ = try? image.orientedPixelBuffer()
      for oddEdges in [OddEdges.trim, .reencode(), .exifOnly, .fail] {
        let turned = try? image.rotated(by: .clockwise90, oddEdges: oddEdges)
        let part = PixelRect(x: 8, y: 8, width: 8, height: 8)
        let cropped = try? image.cropped(to: part, oddEdges: oddEdges)
        if let turned, oddEdges != .trim {
          #expect(turned.size == PixelSize(width: image.size.height, height: image.size.width))
        }
        edits += (turned == nil ? 0 : 1) + (cropped == nil ? 0 : 1)
      }
    }
    #expect(edits > 50)
  }
}
