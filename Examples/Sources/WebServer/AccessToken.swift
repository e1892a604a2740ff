/// A secret that opens a server to those who know it.
public struct AccessToken: Sendable {
  /// The fewest characters that one may have.
  public static let minimumLength = 16

  /// The secret.
  public let text: String

  /// Takes a secret.
  ///
  /// - Returns: nil where it is short, or has other characters than letters, digits, `-` and `_`.
  public init?(_ text: String) {
    let isPlain = text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
    guard text.utf8.count >= Self.minimumLength, isPlain else { return nil }
    self.text = text
  }

  /// Makes one up, of 192 random bits.
  public init() {
    var generator = SystemRandomNumberGenerator()
    let alphabet = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_")
    text = String((0..<32).map { _ in alphabet[Int.random(in: 0..<64, using: &generator)] })
  }

  /// Whether somebody knows it; takes as long wherever the difference is.
  public func matches(_ guess: String?) -> Bool {
    guard let guess else { return false }
    let (own, other) = (Array(text.utf8), Array(guess.utf8))
    var difference = own.count ^ other.count
    for index in own.indices {
      difference |= Int(own[index] ^ (index < other.count ? other[index] : 0))
    }
    return difference == 0
  }
}
