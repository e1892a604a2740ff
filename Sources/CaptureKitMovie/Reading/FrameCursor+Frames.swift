import Imaging

extension FrameCursor {
  /// The frame that the cursor stands at; nil behind the last one.
  ///
  /// - Throws: `.tooLarge` where there is no memory for it, or its samples cannot be converted.
  func frame() throws(MovieError) -> MovieFrame? {
    guard let current else { return nil }
    guard let pixels = current.frame.pixels() else { throw noMemory }
    let next = pending?.ticks ?? facts.length
    let shown = next.map { $0.subtractingClamped(current.ticks) }.flatMap { $0 > 0 ? $0 : nil }
    return MovieFrame(
      pixels, time: facts.timeBase.duration(ofTicks: current.ticks),
      duration: shown.map(facts.timeBase.duration(ofTicks:)),
      isKeyFrame: current.frame.isKeyFrame, orientation: facts.orientation)
  }
}
