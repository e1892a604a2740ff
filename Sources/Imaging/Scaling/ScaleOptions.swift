/// How pixels are mixed.
struct ScaleOptions: Hashable {
  var quality: Image.ScalingQuality
  /// Mixes light instead of the numbers that sRGB has for it.
  var isLinear: Bool
  var loops = Loops.best

  /// The samples that must be left for a new pixel along each side where libjpeg averages parts of
  /// blocks instead of decoding them in full. What is left is filtered properly.
  var leastBlockRatio: Double {
    switch quality {
    case .fast: 1.5
    case .best: 2.5
    }
  }

  /// The samples that libjpeg must leave of the eight of a block's side: it mixes numbers, not
  /// light.
  var leastEighths: Int {
    guard isLinear else { return 1 }
    return quality == .fast ? 2 : 4
  }

  /// The samples that must be left where neighbours are averaged beforehand.
  var leastRatio: Double {
    switch quality {
    case .fast: 2
    case .best: 4
    }
  }
}
