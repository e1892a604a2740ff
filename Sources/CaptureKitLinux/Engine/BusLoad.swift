import Imaging
import Video4Linux

/// What pictures weigh on a bus, and what a bus carries; pure.
enum BusLoad {
  /// What a USB port carries of one camera's pictures, in bytes a second; nil for a speed that
  /// limits none.
  ///
  /// Cameras send pictures isochronously, if their endpoint is not a bulk one. USB 2 then carries
  /// three packets of 1024 bytes each eighth of a millisecond, of which a UVC header takes 12
  /// bytes; USB 3 forty-eight such packets, of which a tenth is left alone for headers and for what
  /// else is on the bus. In bulk USB 2 controllers have been seen to carry 40 MB/s.
  ///
  /// - Parameters:
  ///   - megabits: The port's speed in megabits a second, as sysfs says it.
  ///   - isBulk: Whether the camera sends pictures in bulk.
  /// - Returns: Bytes a second.
  static func bandwidth(ofUSBPortAt megabits: Int, isBulk: Bool) -> Int? {
    switch megabits {
    case ..<1: nil
    case ..<480: 1000 * (1023 - 12)
    case ..<5000: isBulk ? 40_000_000 : 8000 * (3 * 1024 - 12)
    default: megabits / 5000 * 8000 * 48 * 1024 / 10 * 9
    }
  }

  /// The time that a bus needs for one frame: no shorter time between frames can be kept.
  ///
  /// - Parameters:
  ///   - byteCount: What a frame weighs.
  ///   - bandwidth: What the bus carries, in bytes a second.
  /// - Returns: nil where either is nothing.
  static func shortestDuration(of byteCount: Int, at bandwidth: Int) -> FrameDuration? {
    FrameDuration(
      numerator: UInt32(clamping: byteCount), denominator: UInt32(clamping: bandwidth))
  }
}

extension BusLoad {
  /// What a frame weighs; nil for compressed ones, which cameras make as small as their bus needs
  /// it.
  static func byteCount(of pixelFormat: PixelFormat, in dimensions: VideoDimensions) -> Int? {
    let (width, height) = (dimensions.width, dimensions.height)
    if let layout = PixelLayout(format: pixelFormat, width: width, height: height) {
      return (0..<layout.blockCount).reduce(0) { $0 + layout.byteCount(ofBlock: $1) }
    }
    return SampleFormat(pixelFormat)?.byteCount(width: width, height: height)
  }
}

extension CaptureDevice.Format {
  /// What a frame of the largest size weighs; nil for compressed ones.
  var byteCount: Int? { BusLoad.byteCount(of: pixelFormat, in: maximumDimensions) }
}
