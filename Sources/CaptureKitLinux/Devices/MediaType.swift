/// A kind of media, as Apple's `AVMediaType`.
public struct MediaType: RawRepresentable, Hashable, Sendable {
  /// The kind's name.
  public let rawValue: String

  /// Names a kind, known to this library or not.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// Pictures.
  public static let video = MediaType(rawValue: "vide")
  /// Sound; this library captures none.
  public static let audio = MediaType(rawValue: "soun")
}
