import Foundation
import Testing

@testable import Imaging

/// What the fuzzers begin with and what they once found, without a fuzzer.
@Suite(.timeLimit(.minutes(1)))
struct FuzzCorpusTests {
  private static let folder = URL(filePath: #filePath).resolvingSymlinksInPath()
    .deletingLastPathComponent().appending(path: "../../Fuzz/corpus").standardizedFileURL

  private static func inputs(of target: String) throws -> [(name: String, data: Data)] {
    let place = folder.appending(path: target)
    return try FileManager.default.contentsOfDirectory(atPath: place.path).map {
      ($0, try Data(contentsOf: place.appending(path: $0)))
    }
  }

  @Test func survivesAllOfIt() throws {
    // Inputs of the editing target say in eight bytes what is to be done, those of scaling in four.
    let inputs =
      try Self.inputs(of: "markers").map(\.data) + Self.inputs(of: "png").map(\.data)
      + Self.inputs(of: "editing").map { Data($0.data.dropFirst(8)) }
      + Self.inputs(of: "scaling").map { Data($0.data.dropFirst(4)) }
    #expect(inputs.count > 30)
    let limits = Image.Limits(pixelCount: 1 << 16)
    var (edits, changes, thumbnails) = (0, 0, 0)
    for data in inputs {
      _ = try? data.jpegHeader()
      _ = try? data.photo(ImageMetadata())
      _ = try? data.completed()
      guard let image = try? Image(data, limits: limits) else { continue }
      _ = try? image.partialPixelBuffer()
      _ = try? image.orientedPixelBuffer()
      if let without = try? image.strippingLocation() {
        #expect(without.metadata.location == nil)
        #expect(without.orientation == image.orientation)
        changes += 1
      }
      if let bare = try? image.strippingAllMetadata() {
        #expect(bare.orientation == image.orientation)
        changes += 1
      }
      var metadata = image.metadata
      metadata.imageDescription = "A picture"
      metadata.location = nil
      if let changed = try? image.settingMetadata(metadata) {
        #expect(changed.metadata.imageDescription == "A picture")
        #expect(changed.metadata.location == nil)
        changes += 1
      }
      if let small = try? image.thumbnail(maxPixelSize: 40) {
        #expect(max(small.size.width, small.size.height) <= 40)
        thumbnails += 1
      }
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
    #expect(changes > 50)
    #expect(thumbnails > 10)
  }

  @Test func keepsTheOrientationOfAnyExif() throws {
    let picture = try JPEGEncoder().encode(Scene.bars().pixels(.grey))
    for (name, exif) in try Self.inputs(of: "exif") {
      let jpeg = picture.insertingSegment(0xE1, Array("Exif\0\0".utf8) + exif)
      let metadata = jpeg.imageMetadata
      #expect(try Image(jpeg).orientation == metadata.orientation, "\(name)")
      let changes: [JPEGPassthrough.MetadataChange] = [
        .merging(metadata), .replacing(metadata), .stripping(metadata.orientation),
      ]
      for change in changes {
        let changed = try JPEGPassthrough.changing(jpeg.bytes, metadata: change)
        #expect(changed.imageMetadata.orientation == metadata.orientation, "\(name) \(change)")
      }
    }
  }
}
