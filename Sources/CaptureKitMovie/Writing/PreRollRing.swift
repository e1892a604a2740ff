import CaptureKitLinux
import Imaging

/// The last seconds, compressed: oldest first out, bounded in time and bytes; pure.
///
/// What it holds begins with a key frame: a movie could not begin with another.
struct PreRollRing {
  private(set) var bounds: MoviePreRoll
  private var samples: ArraySlice<MovieSample> = []
  private(set) var byteCount = 0

  init(_ bounds: MoviePreRoll) { self.bounds = bounds }

  var count: Int { samples.count }
  var isEmpty: Bool { samples.isEmpty }

  /// Takes a frame whose bytes are its own.
  mutating func append(_ sample: MovieSample) {
    guard !samples.isEmpty || sample.isKey else { return }
    samples.append(sample)
    byteCount += sample.bytes.byteCount
    trim()
  }

  mutating func setBounds(_ bounds: MoviePreRoll) {
    self.bounds = bounds
    trim()
  }

  mutating func removeAll() {
    samples = []
    byteCount = 0
  }

  /// Takes all frames out, in their order.
  mutating func take() -> ArraySlice<MovieSample> {
    defer { removeAll() }
    return samples
  }

  private mutating func trim() {
    guard let newest = samples.last?.time else { return }
    while let first = samples.first,
      byteCount > bounds.byteLimit || first.time.duration(to: newest) > bounds.duration
    {
      // What follows a key frame goes with it.
      repeat {
        byteCount -= samples.removeFirst().bytes.byteCount
      } while samples.first.map { !$0.isKey } ?? false
    }
  }
}
