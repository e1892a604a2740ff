/// How pixels are mixed.
struct ScaleOptions: Hashable {
  /// Which of C's loops mix them; all give the same pixels.
  enum Loops: Hashable, CaseIterable { case best, baseline, portable }

  var quality: Image.ScalingQuality
  /// Mixes light instead of the numbers that sRGB has for it.
  var isLinear: Bool
  var loops = Loops.best

  /// The samples that must be left for a new pixel along each side where neighbours are averaged beforehand, as
  /// libjpeg does with parts of blocks. What is left then is filtered properly.
  var leastRatio: Double {
    switch quality {
    case .fast: 1.5
    case .best: 2.5
    }
  }
}
