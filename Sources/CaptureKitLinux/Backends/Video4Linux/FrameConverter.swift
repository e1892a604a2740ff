import Dispatch
import Imaging
import Synchronization
import Video4Linux

/// Makes pictures of one stream's frames that cannot be read as they are.
final class FrameConverter: Sendable {
  private let samples: SampleConverter
  private let layout: PixelLayout

  /// Nil for what needs no conversion, and for what has none.
  init?(_ image: ImageFormat) {
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

/// One frame's picture: made when it is first asked for, once for all who ask.
final class FrameConversion: Sendable {
  private enum Progress {
    case waiting
    case underway
    case done(PixelBuffer?)
  }

  private struct State {
    var progress = Progress.waiting
    var tally: ConversionTally?
  }

  private let converter: FrameConverter
  private let state = Mutex(State())
  private let isDone = DispatchSemaphore(value: 0)

  init(by converter: FrameConverter) {
    self.converter = converter
  }

  /// Lets the conversion be counted, when it comes to it.
  func count(on tally: ConversionTally) {
    state.withLock { $0.tally = tally }
  }

  /// The picture; whoever asks while another thread makes it waits for that.
  ///
  /// - Returns: nil where the frame is damaged.
  func picture(of block: SharedBytes, color: ColorDescription) -> PixelBuffer? {
    let (isOurs, result) = state.withLock { state -> (Bool, PixelBuffer??) in
      switch state.progress {
      case .waiting:
        state.progress = .underway
        return (true, nil)
      case .underway: return (false, nil)
      case .done(let picture): return (false, picture)
      }
    }
    if let result { return result }
    guard isOurs else {
      isDone.wait()
      isDone.signal()
      return state.withLock { if case .done(let picture) = $0.progress { picture } else { nil } }
    }
    let picture = converter.picture(of: block, color: color)
    let tally = state.withLock { state in
      state.progress = .done(picture)
      return state.tally
    }
    tally?.count(isSuccess: picture != nil)
    isDone.signal()
    return picture
  }
}
