import CaptureKitLinux
import Foundation
import Imaging

extension CapturedFrame {
  /// The frame as a camera or driver with these faults delivers it.
  func applying(_ faults: FrameFaults) -> CapturedFrame {
    let isCut = faults.contains(.short) || (faults.contains(.truncatedJPEG) && layout == nil)
    let isFlagged = isDamaged || faults.contains(.flagged)
    guard isCut || isFlagged != isDamaged else { return self }
    let kept = bytes.byteCount / (isCut ? 2 : 1)
    let rest = bytes.extracting(first: kept)
    let copy = rest.byteOffsets.map { rest.unsafeLoad(fromByteOffset: $0, as: UInt8.self) }
    guard let layout else {
      return CapturedFrame(
        jpeg: Data(copy), dimensions: dimensions, sequence: sequence, timestamp: timestamp,
        duration: duration, isDamaged: isFlagged)
    }
    return CapturedFrame(
      bytes: copy, layout: layout, color: color, sequence: sequence, timestamp: timestamp,
      duration: duration, isDamaged: isFlagged)
  }
}
