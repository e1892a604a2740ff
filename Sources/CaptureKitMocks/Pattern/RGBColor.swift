public import Imaging

/// A colour of the test pattern: red, green and blue from 0 to 255, as sRGB means them.
public struct RGBColor: Hashable, Sendable {
  /// Red, 0 to 255.
  public var red: UInt8
  /// Green, 0 to 255.
  public var green: UInt8
  /// Blue, 0 to 255.
  public var blue: UInt8

  /// Names a colour.
  public init(red: UInt8, green: UInt8, blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  init(grey: UInt8) {
    self.init(red: grey, green: grey, blue: grey)
  }

  /// The colour in other light; white stays white in more.
  func lit(by light: Double) -> RGBColor {
    func sample(_ value: UInt8) -> UInt8 { Self.sample(min(max(Double(value) * light, 0), 255)) }
    return RGBColor(red: sample(red), green: sample(green), blue: sample(blue))
  }

  /// The samples that stand for the colour, as ITU-R BT.601, BT.709 and BT.2020 define them, rounded
  /// to the nearest.
  ///
  /// - Parameter color: The weights and the range of the samples.
  /// - Returns: Luma and the two chroma samples.
  public func yCbCr(_ color: ColorDescription) -> (y: UInt8, cb: UInt8, cr: UInt8) {
    let (redWeight, blueWeight) =
      switch color.matrix {
      case .bt601: (0.299, 0.114)
      case .bt709: (0.2126, 0.0722)
      case .bt2020: (0.2627, 0.0593)
      }
    let (red, green, blue) = (Double(red) / 255, Double(green) / 255, Double(blue) / 255)
    let luma = redWeight * red + (1 - redWeight - blueWeight) * green + blueWeight * blue
    let cb = (blue - luma) / (2 - 2 * blueWeight)
    let cr = (red - luma) / (2 - 2 * redWeight)
    let isFull = color.range == .full
    return (
      Self.sample(isFull ? 255 * luma : 16 + 219 * luma),
      Self.sample(128 + (isFull ? 255 : 224) * cb),
      Self.sample(128 + (isFull ? 255 : 224) * cr)
    )
  }

  private static func sample(_ value: Double) -> UInt8 {
    UInt8(clamping: Int(value.rounded()))
  }
}
