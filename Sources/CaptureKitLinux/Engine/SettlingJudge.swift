import Imaging

/// Tells from a stream's first frames when exposure and white balance have settled; pure.
///
/// A camera that is finding its exposure shows it: its pictures are black, blown out, or become
/// brighter, darker, warmer or colder from frame to frame. It has settled when three frames look,
/// on average, as the three before them did. Averages, since lamps that flicker make every frame a
/// little different.
struct SettlingJudge {
  /// Frames that are compared with as many before them.
  private static let half = 3
  /// Faster cameras' frames are looked at this often.
  private static let shortestGap = Duration.milliseconds(25)
  /// Luma, of 255, that no settled picture is below or above.
  private static let usable = 8.0...247.0
  /// How much luma may differ, as a part of itself and at least.
  private static let lumaTolerance = (relative: 0.015, absolute: 0.5)
  /// How much a colour difference may differ, of 255.
  private static let chromaTolerance = 1.0
  /// How far single frames may be apart, as a part of luma: lamps flicker less than that.
  private static let spread = 0.25

  private var frames: [AverageColor] = []
  private var lastTime: HostTime?
  private(set) var hasSettled = false

  /// Whether a frame would tell something new.
  func wants(frameAt time: HostTime) -> Bool {
    !hasSettled && (lastTime.map { $0.duration(to: time) >= Self.shortestGap } ?? true)
  }

  /// Looks at a frame.
  ///
  /// - Parameters:
  ///   - color: The frame's average.
  ///   - time: When it was taken.
  mutating func look(at color: AverageColor, takenAt time: HostTime) {
    guard wants(frameAt: time) else { return }
    lastTime = time
    guard Self.usable.contains(color.luma) else {
      frames = []
      return
    }
    frames.append(color)
    if frames.count > 2 * Self.half { frames.removeFirst() }
    hasSettled = frames.count == 2 * Self.half && looksSteady
  }

  private var looksSteady: Bool {
    let before = AverageColor(averaging: frames.prefix(Self.half))
    let after = AverageColor(averaging: frames.suffix(Self.half))
    let tolerance = max(Self.lumaTolerance.absolute, Self.lumaTolerance.relative * after.luma)
    let lumas = frames.map(\.luma)
    let apart = (lumas.max() ?? 0) - (lumas.min() ?? 0)
    return abs(after.luma - before.luma) <= tolerance
      && abs(after.blueDifference - before.blueDifference) <= Self.chromaTolerance
      && abs(after.redDifference - before.redDifference) <= Self.chromaTolerance
      && apart <= Self.spread * after.luma
  }
}
