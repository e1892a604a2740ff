import CaptureKitLinux
import CaptureKitMovie
import Foundation
import Imaging

/// A movie's file of any kind: what it says of itself, a picture for a list, and its frames.
func readMovie(_ data: Data) {
  guard let file = MovieInMemory(data),
    let reader = try? MovieReader(contentsOf: file.url, limits: limits)
  else { return }
  expect(reader.size.width > 0 && reader.size.height > 0, "pictures have a size")
  expect(reader.duration >= .zero, "a movie has a length")
  _ = reader.estimatedFrameCount
  if let poster = try? reader.posterImage(maxPixelSize: 40) {
    expect(poster.orientation == .up, "a poster is upright")
    expect(max(poster.size.width, poster.size.height) <= 40, "a poster is small")
  }
  var latest = Duration.zero
  for part in [0.0, 0.5, 0.9, 0.2] {
    guard let frame = try? reader.frame(at: reader.duration * part) else { continue }
    expect(frame.time >= .zero, "a frame has a time")
    expect((try? frame.image.pixelBuffer()) != nil, "a frame has pixels")
    latest = max(latest, frame.time)
  }
  _ = try? reader.frame(at: latest)
}

/// A file that is in memory alone.
private struct MovieInMemory: ~Copyable {
  let url: URL
  private let descriptor: Int32

  init?(_ data: Data) {
    descriptor = memfd_create("movie", 0)
    guard descriptor >= 0 else { return nil }
    url = URL(filePath: "/proc/self/fd/\(descriptor)")
    let written = data.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    guard written == data.count else { return nil }
  }

  deinit { close(descriptor) }
}
