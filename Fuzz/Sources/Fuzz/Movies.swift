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

  init?(_ data: Data) {
    url = URL(filePath: "/dev/shm/fuzz-movie-\(ProcessInfo.processInfo.processIdentifier)")
    guard (try? data.write(to: url)) != nil else { return nil }
  }

  deinit { try? FileManager.default.removeItem(at: url) }
}
