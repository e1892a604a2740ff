import CaptureKitLinux
import Imaging

/// The last seconds, compressed: oldest first out, bounded in time and bytes; pure.
///
/// What it holds begins with a key frame: a movie could not begin with another.
struct PreRollRing {
  private(set) var bounds: MoviePreRoll
  /// Those before `first` are gone; a slice would keep their bytes.
  private var samples: [MovieSample?] = []
  private var first = 0
  private(set) var byteCount = 0

  init(_ bounds: MoviePreRoll) { self.bounds = bounds }

  var count: Int { samples.count - first }
  var isEmpty: Bool { count == 0 }

  /// Takes a frame whose bytes are its own.
  mutating func append(_ sample: MovieSample) {
    guard !isEmpty || sample.isKey else { return }
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
    first = 0
    byteCount = 0
  }

  /// Takes all frames out, in their order.
  mutating func take() -> [MovieSample] {
    defer { removeAll() }
    return samples.compactMap(\.self)
  }

  private mutating func trim() {
    guard let newest = samples.last??.time else { return }
    while let oldest, byteCount > bounds.byteLimit || isOutdated(oldest, at: newest) {
      // What follows a key frame goes with it.
      repeat { removeOldest() } while self.oldest.map { !$0.isKey } ?? false
    }
    guard first > 64, first * 2 > samples.count else { return }
    samples.removeFirst(first)
    first = 0
  }

  /// Whether a frame is too old, or of before the clock was set back: nobody knows how old it is.
  private func isOutdated(_ sample: MovieSample, at newest: HostTime) -> Bool {
    let age = sample.time.duration(to: newest)
    return age > bounds.duration || age < .nanoseconds(-MovieTimeline.largestStepBack)
  }

  private var oldest: MovieSample? { first < samples.count ? samples[first] : nil }

  private mutating func removeOldest() {
    byteCount -= samples[first]?.bytes.byteCount ?? 0
    samples[first] = nil
    first += 1
  }
}
