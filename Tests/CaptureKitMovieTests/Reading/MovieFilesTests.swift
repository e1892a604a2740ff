import CaptureKitLinux
import Foundation
import Glibc
import Imaging
import TestSupport
import Testing

@testable import CaptureKitMovie

/// Files that are no movies, or none that can be opened: each has its code and a sentence.
@Suite(.timeLimit(.minutes(1)))
struct MovieFilesTests {
  private func refusal(_ url: URL, _ limits: Image.Limits = .standard) -> MovieError? {
    do throws(MovieError) {
      _ = try MovieReader(contentsOf: url, limits: limits)
      return nil
    } catch {
      #expect(error.description.hasSuffix("."))
      return error
    }
  }

  @Test func whatIsNoFileIsRefused() throws {
    let folder = try TemporaryFolder()
    mkfifo(folder.path("pipe.mp4"), 0o600)
    let address = try #require(URL(string: "http://127.0.0.1:1/a.mp4"))

    #expect(refusal(folder.url.appending(path: "none.mp4"))?.code == .cannotRead)
    #expect(refusal(folder.url.appending(path: "none.mp4"))?.errno == ENOENT)
    #expect(refusal(folder.url)?.code == .cannotRead)
    #expect(refusal(folder.url)?.description.contains("is a folder") == true)
    #expect(refusal(folder.url.appending(path: "pipe.mp4"))?.code == .cannotRead)
    #expect(refusal(URL(filePath: "/dev/zero"))?.code == .cannotRead)
    #expect(refusal(address)?.code == .cannotRead)
  }

  @Test(.enabled(if: getuid() != 0, "root may read all files"))
  func whatMayNotBeReadIsRefused() throws {
    let folder = try TemporaryFolder()
    try folder.write("x", to: "a.mp4")
    try folder.setMode(0, of: "a.mp4")

    #expect(refusal(folder.url.appending(path: "a.mp4"))?.code == .notPermitted)
  }

  /// Playlists and lists of files would make the library open something else.
  static let texts = [
    "", "x", "not a movie at all, but a text", String(repeating: "a", count: 100_000),
    "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n",
    "ffconcat version 1.0\nfile /etc/hostname\n", "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\n",
    "<?xml version=\"1.0\"?><MPD xmlns=\"urn:mpeg:dash:schema:mpd:2011\"></MPD>",
    "[playlist]\nFile1=http://127.0.0.1:1/a\n", "RIFF\u{4}\0\0\0AVI ", "\0\0\0\u{8}ftyp",
  ]

  @Test(arguments: texts)
  func whatIsNoMovieIsRefused(_ text: String) throws {
    let folder = try TemporaryFolder()
    for name in ["a.mp4", "a.m3u8", "a.ffconcat", "a.sdp", "a.mkv", "a"] {
      try folder.write(text, to: name)
      let error = refusal(folder.url.appending(path: name))
      #expect(error?.code == .notAMovie)
      #expect(error?.description.contains(folder.path(name)) == true)
    }
  }

  @Test func aMovieIsToldByItsContent() throws {
    guard SampleMovie.canBeMade else { return }
    let movie = try SampleMovie("a.mkv", frames: 5, "-c:v mjpeg")

    #expect(try MovieReader(contentsOf: movie.changed("a.jpg") { _ in }).container == .matroska)
    #expect(try MovieReader(contentsOf: movie.changed("noname") { _ in }).container == .matroska)
  }

  @Test(
    .enabled(if: SampleMovie.canBeMade, "needs the program ffmpeg"),
    arguments: [
      ("a.jpg", "-f lavfi -i testsrc2=size=320x240 -frames:v 1"),
      ("a.png", "-f lavfi -i testsrc2=size=320x240 -frames:v 1"),
      ("a.gif", "-f lavfi -i testsrc2=size=32x24 -frames:v 3"),
      ("a.m4a", "-f lavfi -i sine=duration=1 -c:a aac"),
      ("a.mkv", "-f lavfi -i sine=duration=1 -c:a aac"),
      ("a.avi", "-f lavfi -i sine=duration=1 -c:a mp3"),
      ("a.wav", "-f lavfi -i sine=duration=1"),
      (
        "b.m4a",
        "-f lavfi -i sine=duration=1 -f lavfi -i testsrc2=size=64x64:duration=0.04 -map 0 -map 1 "
          + "-c:a aac -c:v mjpeg -disposition:v attached_pic"
      ),
    ])
  func picturesAndSoundAreNoMovies(_ name: String, _ arguments: String) throws {
    let movie = try SampleMovie(name, arguments: arguments)

    #expect(refusal(movie.url)?.code == .notAMovie)
    #expect(refusal(try movie.changed("a.mp4") { _ in })?.code == .notAMovie)
  }

  @Test(.enabled(if: SampleMovie.canBeMade, "needs the program ffmpeg"))
  func soundBesidePicturesIsPassedOver() async throws {
    for name in ["a.mkv", "a.mp4", "a.avi", "a.ts"] {
      let movie = try SampleMovie(
        name,
        arguments: "-f lavfi -i sine=duration=2 -f lavfi -i testsrc2=size=64x64:duration=2:rate=25 "
          + "-map 0 -map 1 -c:a mp2 -c:v libx264 -bf 0")
      let reader = try MovieReader(contentsOf: movie.url)

      var count = 0
      for try await _ in reader.frames { count += 1 }
      #expect(count == 50, "\(name)")
    }
  }

  @Test(.enabled(if: SampleMovie.canBeMade, "needs the program ffmpeg"))
  func codecsThatAreNotReadAreNamed() throws {
    let movie = try SampleMovie(
      "a.avi", arguments: "-f lavfi -i testsrc2=size=64x64:duration=1 -c:v wmv2")

    let error = refusal(movie.url)
    #expect(error?.code == .unsupportedCodec)
    #expect(error?.description.contains("wmv2") == true)
  }

  @Test(.enabled(if: SampleMovie.canBeMade, "needs the program ffmpeg"))
  func picturesAboveTheLimitsAreRefused() throws {
    let movie = try SampleMovie("a.mkv", frames: 3, "-c:v libx264")
    let exact = Image.Limits(pixelCount: 64 * 48)

    #expect(refusal(movie.url, exact) == nil)
    #expect(refusal(movie.url, Image.Limits(pixelCount: 64 * 48 - 1))?.code == .tooLarge)
    #expect(refusal(movie.url, Image.Limits(memoryByteCount: 64 * 48 * 29))?.code == .tooLarge)
    #expect(refusal(movie.url, Image.Limits(pixelCount: 0, memoryByteCount: -1))?.code == .tooLarge)
    #expect(refusal(movie.url, Image.Limits(pixelCount: .max, memoryByteCount: .max)) == nil)
  }

  /// A header that declares far more than is there costs no memory of that size.
  @Test(.enabled(if: SampleMovie.canBeMade, "needs the program ffmpeg"))
  func declaredSizesCostNothing() throws {
    let movie = try SampleMovie("a.avi", frames: 20, "-c:v mjpeg")
    // The size in the list's headers and in each JPEG picture's frame header.
    let url = try movie.changed("huge.avi") { data in
      for place in data.indices.dropLast(9)
      where data[place] == 0xFF && data[place + 1] == 0xC0 {
        data.replaceSubrange(place + 5..<place + 9, with: [0xFF, 0xFF, 0xFF, 0xFF])
      }
    }
    let before = ProcessMemory.resident
    let reader = try? MovieReader(contentsOf: url)
    let error = #expect(throws: MovieError.self) {
      try reader?.frame(at: .zero) ?? { throw MovieError(.corrupt, "") }()
    }

    #expect(error?.code == .corrupt)
    #expect(ProcessMemory.resident - before < 100 << 20)
  }

  @Test(.enabled(if: SampleMovie.canBeMade, "needs the program ffmpeg"))
  func aFileOfZerosBehindItsHeaderEnds() throws {
    let movie = try SampleMovie("a.mkv", frames: 3, "-c:v mjpeg")
    let url = try movie.changed("long.mkv") { $0 = $0.prefix(600) }
    truncate(url.path, 1 << 40)

    let reader = try? MovieReader(contentsOf: url)
    _ = try? reader?.posterImage()
    #expect((try? reader?.frame(at: .seconds(1))) == nil)
  }
}
