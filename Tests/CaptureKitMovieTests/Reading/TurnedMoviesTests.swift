import CaptureKitLinux
import Foundation
import Imaging
import Testing

@testable import CaptureKitMovie

@Suite(
  .timeLimit(.minutes(1)),
  .enabled(if: SampleMovie.canBeMade, "needs the program ffmpeg to make movies"))
struct TurnedMoviesTests {
  /// Orientations as EXIF counts them, and `a b c d` of ISO 14496-12's matrix for each.
  static let matrices: [(Int, [Int32])] = [
    (1, [1, 0, 0, 1]), (2, [-1, 0, 0, 1]), (3, [-1, 0, 0, -1]), (4, [1, 0, 0, -1]),
    (5, [0, 1, 1, 0]), (6, [0, 1, -1, 0]), (7, [0, -1, -1, 0]), (8, [0, -1, 1, 0]),
  ]

  /// The places of the movie's three fields, as shown, by EXIF's number: the numbered half, the
  /// bright quarter, the dark one.
  static let places: [Int: [(Double, Double)]] = [
    1: [(0.25, 0.5), (0.75, 0.25), (0.75, 0.75)], 2: [(0.75, 0.5), (0.25, 0.25), (0.25, 0.75)],
    3: [(0.75, 0.5), (0.25, 0.75), (0.25, 0.25)], 4: [(0.25, 0.5), (0.75, 0.75), (0.75, 0.25)],
    5: [(0.5, 0.25), (0.25, 0.75), (0.75, 0.75)], 6: [(0.5, 0.25), (0.75, 0.75), (0.25, 0.75)],
    7: [(0.5, 0.75), (0.75, 0.25), (0.25, 0.25)], 8: [(0.5, 0.75), (0.25, 0.25), (0.75, 0.25)],
  ]

  @Test(arguments: ["mp4", "mov"], matrices)
  func honoursTheTrackHeadersMatrix(_ name: String, _ matrix: (Int, [Int32])) throws {
    let movie = try SampleMovie("up.\(name)", frames: 5, MovieReaderTests.h264)
    let url = try movie.changed("turned.\(name)") { try? $0.setMatrix(matrix.1) }

    try check(url, matrix.0)
  }

  @Test(arguments: matrices)
  func honoursMatroskasTag(_ matrix: (Int, [Int32])) throws {
    let movie = try SampleMovie(
      "a.mkv", frames: 5, MovieReaderTests.h264 + " -metadata:s:v:0 ORIENTATION=\(matrix.0)")

    try check(movie.url, matrix.0)
  }

  private func check(_ url: URL, _ number: Int) throws {
    let orientation = try #require(ImageOrientation(rawValue: number))
    let reader = try MovieReader(contentsOf: url)

    #expect(reader.orientation == orientation)
    #expect(reader.codedSize == VideoDimensions(width: 64, height: 48))
    #expect(reader.size.width == (orientation.swapsSides ? 48 : 64))
    let frame = try reader.frame(at: .zero)
    #expect(frame.orientation == orientation)
    #expect(frame.pixels.width == 64)
    for image in [try frame.image.bakingOrientation(), try reader.posterImage()] {
      #expect(image.orientation == .up)
      #expect(image.size.width == reader.size.width)
      let pixels = try image.pixelBuffer()
      let fields = try #require(Self.places[number]).map { pixels.luma($0.0, $0.1) }
      #expect(abs(fields[0] - SampleMovie.luma(of: 0)) <= 6)
      #expect(fields[1] > 200)
      #expect(fields[2] < 40)
    }
  }
}

extension Data {
  /// Writes the matrix of the first track's header, version 0.
  fileprivate mutating func setMatrix(_ numbers: [Int32]) throws {
    let header = try #require(range(of: Data("tkhd".utf8)))
    let places = [0, 4, 12, 16]
    for (place, number) in zip(places, numbers) {
      let bits = UInt32(bitPattern: number << 16)
      let start = header.lowerBound + 44 + place
      for byte in 0..<4 {
        self[start + byte] = UInt8(truncatingIfNeeded: bits >> UInt32(24 - 8 * byte))
      }
    }
  }
}
