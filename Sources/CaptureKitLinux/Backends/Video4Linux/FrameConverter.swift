import Imaging
import Video4Linux

/// Makes pictures of one stream's frames that cannot be read as they are.
final class FrameConverter: Sendable {
  private let samples: SampleConverter
  private let layout: PixelLayout

  /// Nil for what needs no conversion, and for what has none.
  init?(_ image: VideoFormat) {
    guard let samples = SampleConverter(image),
      let layout = PixelLayout(
        format: PixelFormat(rawValue: samples.format.result.rawValue),
        width: Int(image.size.width), height: Int(image.size.height))
    else { return nil }
    self.samples = samples
    self.layout = layout
  }

  /// The least that a whole frame has.
  var leastByteCount: Int { samples.leastByteCount }

  /// Converts a frame's bytes.
  ///
  /// - Parameters:
  ///   - block: The bytes.
  ///   - color: What they stand for, where they are YCbCr.
  /// - Returns: nil where they are too few or damaged.
  func picture(of block: SharedBytes, color: ColorDescription) -> PixelBuffer? {
    guard let picture = try? samples.convert(block.bytes) else { return nil }
    return PixelBuffer(
      layout: layout, color: layout.format == .yuv420 ? color : .jpeg,
      blocks: [SharedBytes(leasing: picture.unsafeBytes, owner: picture)])
  }
}
