import Imaging
import Synchronization

/// One frame's picture: made when it is first asked for, once for all who ask.
final class FrameConversion: Sendable {
  private let converter: FrameConverter
  private let tally = Mutex<ConversionTally?>(nil)
  private let made = MadeOnce<PixelBuffer?>()

  init(by converter: FrameConverter) {
    self.converter = converter
  }

  /// Lets the conversion be counted, when it comes to it.
  func count(on tally: ConversionTally) {
    self.tally.withLock { $0 = tally }
  }

  /// The picture; whoever asks while another thread makes it waits for that.
  ///
  /// - Returns: nil where the frame is damaged.
  func picture(of block: SharedBytes, color: ColorDescription) -> PixelBuffer? {
    made.value {
      let picture = converter.picture(of: block, color: color)
      tally.withLock { $0 }?.count(isSuccess: picture != nil)
      return picture
    }
  }
}
