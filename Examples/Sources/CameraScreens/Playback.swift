/// How far a movie is played.
public struct Playback: Hashable, Sendable {
  /// What is to be done.
  public enum Command: Hashable, Sendable {
    /// Frames are to be shown from a time on, at their own pace, in place of those before; what is
    /// told of them carries the number.
    case run(from: Duration, number: Int)
    /// The frame of a time is to be shown.
    case show(at: Duration)
    /// No more frames.
    case hold
  }

  /// How far an arrow key goes.
  public static let step: Duration = .seconds(2)

  /// How long the movie is.
  public let duration: Duration
  /// The time of the frame that is shown.
  public private(set) var position: Duration = .zero
  /// Whether frames follow each other.
  public private(set) var isPlaying: Bool = false
  private var number = 0

  /// A movie that is not played yet.
  public init(duration: Duration) { self.duration = duration }

  /// Plays the movie, from its begin where it was at its end; or holds it.
  public mutating func toggle() -> Command {
    isPlaying.toggle()
    guard isPlaying else { return .hold }
    if position >= duration { position = .zero }
    return run()
  }

  /// Goes back or on.
  public mutating func seek(by way: Duration) -> Command {
    position = min(max(.zero, position + way), duration)
    return isPlaying ? run() : .show(at: position)
  }

  /// Takes the time of a frame that is shown; not of a run that has been replaced.
  public mutating func reach(_ time: Duration, number: Int) {
    if number == self.number, isPlaying { position = min(time, duration) }
  }

  /// Takes that a run has come to the movie's end.
  public mutating func end(number: Int) {
    guard number == self.number, isPlaying else { return }
    isPlaying = false
    position = duration
  }

  private mutating func run() -> Command {
    number += 1
    return .run(from: position, number: number)
  }
}
