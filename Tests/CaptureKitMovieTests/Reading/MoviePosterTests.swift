import CaptureKitLinux
import Foundation
import Imaging
import Testing

@testable import CaptureKitMovie

@Suite(
  .timeLimit(.minutes(1)),
  .enabled(if: SampleMovie.canBeMade, "needs the program ffmpeg to make movies"))
struct MoviePosterTests {
  static let bars = "-f lavfi -i testsrc2=size=320x180:rate=25:duration="

  @Test(arguments: ["a.mkv", "a.mp4", "a.avi"])
  func isNotTheBlackBegin(_ name: String) throws {
    // Three of four seconds are black, and there is one key frame, or many.
    for length in [12, 1000] {
      let movie = try SampleMovie(
        name,
        arguments: Self.bars + "4 -vf fade=in:75:5 -c:v libx264 -preset ultrafast -g \(length)")
      let reader = try MovieReader(contentsOf: movie.url)

      let poster = PictureDetail(of: try reader.posterImage().pixelBuffer())
      #expect(!poster.isBlank)
      let first = PictureDetail(of: try reader.frame(at: .zero).pixels)
      #expect(first.isBlank)
    }
  }

  @Test func isWhatThereIsOfAMovieOfOneColour() throws {
    let movie = try SampleMovie(
      "a.mp4", arguments: "-f lavfi -i color=black:size=64x48:rate=25:duration=4 -c:v libx264")

    let image = try MovieReader(contentsOf: movie.url).posterImage()
    #expect(image.size == PixelSize(width: 64, height: 48))
  }

  @Test func hasTheSizeThatWasAskedFor() throws {
    let movie = try SampleMovie("a.mp4", arguments: Self.bars + "2 -c:v libx264")
    let reader = try MovieReader(contentsOf: movie.url)

    #expect(try reader.posterImage(maxPixelSize: 160).size == PixelSize(width: 160, height: 90))
    #expect(try reader.posterImage().size == PixelSize(width: 320, height: 180))
    #expect(try reader.posterImage(maxPixelSize: 5000).size == PixelSize(width: 320, height: 180))
    #expect(try reader.posterImage(maxPixelSize: 0).size == PixelSize(width: 1, height: 1))
    #expect(try reader.posterImage(maxPixelSize: .min).size == PixelSize(width: 1, height: 1))
  }

  @Test func hasSquarePixels() throws {
    let movie = try SampleMovie(
      "a.mp4", arguments: Self.bars + "2 -vf setsar=1/2 -c:v libx264")
    let reader = try MovieReader(contentsOf: movie.url)

    #expect(reader.codedSize == VideoDimensions(width: 320, height: 180))
    #expect(reader.size == VideoDimensions(width: 160, height: 180))
    #expect(try reader.posterImage().size == PixelSize(width: 160, height: 180))
    #expect(try reader.posterImage(maxPixelSize: 90).size == PixelSize(width: 80, height: 90))
  }

  @Test func takesTheFirstThatShowsSomethingElseTheBest() throws {
    func picture(_ low: UInt8, _ high: UInt8) throws -> PixelBuffer {
      let layout = try #require(PixelLayout(format: .grey, width: 64, height: 64))
      let bytes = (0..<64 * 64).map { $0 % 64 < 32 ? low : high }
      return try #require(PixelBuffer(layout: layout, bytes: bytes))
    }
    var choice = PosterChoice()

    #expect(!choice.consider(try picture(0, 0), at: 0))
    #expect(!choice.consider(try picture(200, 205), at: 1))
    #expect(!choice.consider(try picture(0, 1), at: 2))
    #expect(choice.best?.luma(0.1, 0.1) == 200)
    #expect(!choice.consider(try picture(0, 200), at: 1))
    #expect(choice.consider(try picture(0, 200), at: 3))
  }
}
