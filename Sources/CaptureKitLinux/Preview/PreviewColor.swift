/// The colour of what a preview shows beside the picture.
public struct PreviewColor: Hashable, Sendable {
  /// 0 to 255.
  public var red: UInt8
  /// 0 to 255.
  public var green: UInt8
  /// 0 to 255.
  public var blue: UInt8

  /// Names an opaque colour.
  public init(red: UInt8, green: UInt8, blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// No light at all.
  public static let black = PreviewColor(red: 0, green: 0, blue: 0)
}
