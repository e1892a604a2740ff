/// Decides what a series of looks at used memory means. Pure: time is told.
struct PressureJudge: Sendable {
  /// How long the same level is not told again, in nanoseconds: who has thrown all out cannot do
  /// more.
  static let pause: UInt64 = 10_000_000_000

  private var told: (level: PressureLevel, time: UInt64)?

  /// - Parameters:
  ///   - part: The used part of memory.
  ///   - now: In nanoseconds.
  /// - Returns: A level that is new, worse than before, or has lasted.
  mutating func level(usedPart part: Double, at now: UInt64) -> PressureLevel? {
    guard let level = Self.level(usedPart: part) else {
      told = nil
      return nil
    }
    if let told, level <= told.level, now < told.time &+ Self.pause {
      // A level in between is no news; the next rise above it is.
      if level < told.level { self.told = (level, told.time) }
      return nil
    }
    told = (level, now)
    return level
  }

  static func level(usedPart part: Double) -> PressureLevel? {
    switch part {
    case 0.97...: .giveBack
    case 0.92...: .flush
    case 0.85...: .trim
    default: nil
    }
  }
}
