import CPixels

/// How luma and chroma samples stand for colours.
///
/// Names follow ITU-R BT.601, BT.709 and BT.2020; the kernel's words are `V4L2_YCBCR_ENC_…` and
/// `V4L2_QUANTIZATION_…`.
public struct ColorDescription: Hashable, Sendable {
  /// The weights by which red, green and blue make luma.
  public enum Matrix: Hashable, Sendable {
    /// ITU-R BT.601: standard definition, webcams, and what JPEG means (JFIF).
    case bt601
    /// ITU-R BT.709: high definition.
    case bt709
    /// ITU-R BT.2020, non-constant luminance: ultra high definition.
    case bt2020

    /// How much of luma red and blue are; green is the rest.
    var lumaWeights: (red: Double, blue: Double) {
      switch self {
      case .bt601: (CK_BT601_RED_WEIGHT, CK_BT601_BLUE_WEIGHT)
      case .bt709: (CK_BT709_RED_WEIGHT, CK_BT709_BLUE_WEIGHT)
      case .bt2020: (CK_BT2020_RED_WEIGHT, CK_BT2020_BLUE_WEIGHT)
      }
    }
  }

  /// Which numbers black and white are.
  public enum Range: Hashable, Sendable {
    /// Luma 16…235, chroma 16…240.
    case limited
    /// All of 0…255; what JPEG means.
    case full
  }

  /// The weights by which red, green and blue make luma.
  public var matrix: Matrix
  /// Which numbers black and white are.
  public var range: Range

  /// Names a matrix and a range.
  public init(matrix: Matrix, range: Range) {
    self.matrix = matrix
    self.range = range
  }

  /// What a JPEG file means by its samples (JFIF 1.02): BT.601, full range.
  public static let jpeg = ColorDescription(matrix: .bt601, range: .full)
  /// What most webcams mean by raw samples: BT.601, limited range.
  public static let bt601Limited = ColorDescription(matrix: .bt601, range: .limited)

  /// What samples mean where nobody says: JPEG, RGB and grey have full range, YCbCr is BT.601 with
  /// limited range, as webcams send it.
  ///
  /// - Parameter format: How the bytes are to be read.
  /// - Returns: The likeliest meaning.
  public static func assumed(for format: PixelFormat) -> ColorDescription {
    switch format {
    case .mjpeg, .jpeg, .rgb24, .bgr24, .bgra32, .grey: .jpeg
    default: .bt601Limited
    }
  }
}
