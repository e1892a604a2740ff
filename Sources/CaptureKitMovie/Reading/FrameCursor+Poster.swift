import Imaging

extension FrameCursor {
  /// Where key frames are looked at, as parts of the movie, in this order.
  private static let parts: [Int64] = [10, 30, 50, 70, 90]
  /// Frames from the begin on that are decoded where all of these show nothing, and every which of
  /// them is looked at.
  private static let frameLimit = 300
  private static let frameStep = 6

  /// A picture that tells what the movie shows: none of a single colour where there is another.
  ///
  /// Looks at key frames, a tenth of the movie after its begin at first, and then at its first
  /// frames; at a few hundred at most.
  ///
  /// - Throws: `.corrupt` where no frame can be decoded; `.cannotRead`, `.tooLarge`.
  func poster() throws(MovieError) -> PixelBuffer {
    var choice = PosterChoice()
    for part in Self.parts {
      guard let length = facts.length, length > 0 else { break }
      // Damage in one place is none in the others.
      guard (try? seek(to: length / 100 * part + length % 100 * part / 100)) != nil,
        (try? advance()) != nil
      else { continue }
      if let found = look(&choice) { return found }
    }
    try restart()
    try advance()
    for index in 0..<Self.frameLimit {
      guard current != nil else { break }
      if index.isMultiple(of: Self.frameStep), let found = look(&choice) { return found }
      try advance()
    }
    guard let best = choice.best else { throw noFrame }
    return best
  }

  private func look(_ choice: inout PosterChoice) -> PixelBuffer? {
    guard let current, let pixels = current.frame.pixels() else { return nil }
    return choice.consider(pixels, at: current.ticks) ? pixels : nil
  }
}

/// Which of some pictures shows most.
struct PosterChoice {
  private(set) var best: PixelBuffer?
  private var detail: PictureDetail?
  private var seen: Set<Int64> = []

  /// Looks at a picture, once for each time.
  ///
  /// - Returns: Whether it shows enough that no other need be looked at.
  mutating func consider(_ pixels: PixelBuffer, at ticks: Int64) -> Bool {
    guard seen.insert(ticks).inserted else { return false }
    let detail = PictureDetail(of: pixels)
    if self.detail.map({ detail.deviation > $0.deviation }) ?? true {
      (best, self.detail) = (pixels, detail)
    }
    return !detail.isBlank
  }
}
