import Foundation
import Imaging
import Testing

@testable import CaptureKitMovie

/// Samples of all kinds against what the program `ffmpeg` makes of the same file.
@Suite(
  .timeLimit(.minutes(1)),
  .enabled(if: SampleMovie.canBeMade, "needs the program ffmpeg to make movies"))
struct MoviePixelsTests {
  static let tagged709 = "-colorspace bt709 -color_primaries bt709 -color_trc bt709"

  /// A file's name, its encoding, and the format in which its samples come.
  static let kinds: [(String, String, PixelFormat)] = [
    ("a.mkv", "-c:v libx264 -crf 1 -pix_fmt yuv420p", .yuv420Multiplanar),
    (
      "b.mkv", "-c:v libx264 -crf 1 -pix_fmt yuv420p \(tagged709) -color_range tv",
      .yuv420Multiplanar
    ),
    (
      "c.mp4", "-c:v libx264 -crf 1 -pix_fmt yuv420p \(tagged709) -color_range pc",
      .yuv420Multiplanar
    ),
    ("d.mkv", "-c:v libx264 -crf 1 -pix_fmt yuv422p", .yuyv),
    ("e.mkv", "-c:v libx264 -crf 1 -pix_fmt yuv444p \(tagged709) -color_range tv", .bgra),
    ("f.mkv", "-c:v libx264 -crf 1 -pix_fmt yuv420p10le", .bgra),
    ("g.avi", "-c:v mjpeg -q:v 1 -pix_fmt yuvj420p", .yuv420Multiplanar),
    ("h.avi", "-c:v mjpeg -q:v 1 -pix_fmt yuvj422p", .yuyv),
    ("i.avi", "-c:v mjpeg -q:v 1 -pix_fmt yuvj444p", .bgra),
    ("j.mkv", "-c:v ffv1 -pix_fmt gray", .grey),
    ("k.mkv", "-c:v ffv1 -pix_fmt bgr0", .bgra),
    ("l.mov", "-c:v rawvideo -pix_fmt uyvy422", .uyvy),
    ("m.mov", "-c:v rawvideo -pix_fmt rgb24", .rgb24),
    ("n.avi", "-c:v rawvideo -pix_fmt yuyv422", .yuyv),
    ("o.avi", "-c:v rawvideo -pix_fmt bgr24", .bgr24),
    ("p.mkv", "-c:v rawvideo -pix_fmt nv12", .nv12Multiplanar),
    ("q.mov", "-c:v prores_ks -pix_fmt yuv422p10le \(tagged709)", .bgra),
    ("r.mov", "-c:v png -pix_fmt rgb24", .rgb24),
    ("s.mov", "-c:v png -pix_fmt rgba", .bgra),
    ("t.mkv", "-c:v ffv1 -pix_fmt yuv411p", .bgra),
    ("u.mp4", "-c:v mpeg4 -q:v 1", .yuv420Multiplanar),
  ]

  @Test(arguments: kinds)
  func haveTheColoursThatOthersDecode(
    _ name: String, _ options: String, _ format: PixelFormat
  ) throws {
    // Bars of colours as high as 200 rows, an odd size, so that rows have gaps.
    let movie = try SampleMovie(
      name, arguments: "-f lavfi -i smptebars=size=318x200:rate=5:duration=1 \(options)")
    let reader = try MovieReader(contentsOf: movie.url)
    let frame = try reader.frame(at: .milliseconds(400))
    let expected = [UInt8](try movie.decoded(frame: 2))

    #expect(frame.pixels.format == format)
    #expect(frame.pixels.width == 318 && frame.pixels.height == 200)
    for x in 0..<7 {
      for y in [0.3, 0.71, 0.9] {
        // The middle of each bar, away from where chroma is mixed.
        let place = (Double(x) + 0.5) / 7
        let start = (Int(200 * y) * 318 + Int(318 * place)) * 4
        let color = try frame.pixels.color(place, y)
        for channel in 0..<3 {
          #expect(abs(color[channel] - Int(expected[start + channel])) <= 3, "bar \(x) at \(y)")
        }
      }
    }
  }

  @Test func comeAsTheMovieSaysWhatTheyMean() throws {
    let full = try SampleMovie("a.mp4", frames: 3, "-c:v libx264 \(Self.tagged709) -color_range pc")
    let limited = try SampleMovie("a.mkv", frames: 3, "-c:v libx264 -color_range tv")
    let jpeg = try SampleMovie("a.mov", frames: 3, "-c:v mjpeg")

    func color(_ movie: SampleMovie) throws -> ColorDescription {
      try MovieReader(contentsOf: movie.url).frame(at: .zero).pixels.color
    }
    #expect(try color(full) == ColorDescription(matrix: .bt709, range: .full))
    #expect(try color(limited) == .bt601Limited)
    #expect(try color(jpeg) == .jpeg)
  }

  @Test func assumeWhatPlayersAssume() {
    func meaning(_ height: Int, _ isFull: Bool?, _ format: PixelFormat?) -> ColorDescription {
      MovieColor.description(matrix: nil, isFull: isFull, height: height, format: format)
    }
    #expect(meaning(576, nil, .yuv420) == .bt601Limited)
    #expect(meaning(720, nil, .yuv420) == ColorDescription(matrix: .bt709, range: .limited))
    #expect(meaning(720, true, .yuv420) == .jpeg)
    #expect(meaning(720, false, .bgra) == .jpeg)
    #expect(meaning(480, nil, .grey) == .jpeg)
  }

  @Test func areTheDecodersOwnMemory() throws {
    let movie = try SampleMovie("a.mp4", frames: 30, MovieReaderTests.h264)
    let reader = try MovieReader(contentsOf: movie.url)

    // Frames that are held stay as they are while others are decoded.
    let frames = try (0..<30).map { try reader.frame(at: .milliseconds(40 * $0)) }
    for (index, frame) in frames.enumerated() {
      #expect(abs(frame.pixels.luma(0.25, 0.5) - SampleMovie.luma(of: index)) <= 3)
      #expect(frame.pixels.layout.planes[0].bytesPerRow >= 64)
    }
  }
}
