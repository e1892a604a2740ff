import Dispatch
import Imaging
import Synchronization

/// Makes frames what an output's consumers want, away from the camera's thread and theirs.
final class FrameWorkshop: Sendable {
  let queue = DispatchQueue(label: "CaptureKitLinux.video.conversions")
  private let counts: FrameCounts

  init(counts: FrameCounts) {
    self.counts = counts
  }

  /// How many converted frames one consumer may keep; others do not notice where it keeps them.
  static func makeAllowance() -> FrameAllowance { FrameAllowance(limit: 8) }

  /// The frame converted, or why it is dropped.
  ///
  /// - Parameters:
  ///   - received: The frame.
  ///   - allowance: The consumer's own.
  /// - Returns: What the consumer gets.
  func letter(
    for received: ReceivedFrame, within allowance: FrameAllowance
  ) -> FrameLetter<ReceivedFrame> {
    do throws(FrameDropped) {
      return .frame(
        ReceivedFrame(
          frame: try converted(received, allowance), source: received.source, wish: nil))
    } catch {
      counts.note(error.reason)
      // What a consumer misses for its own doing is told to the session, too.
      if error.reason == .outOfBuffers { received.source.noteLateFrames() }
      return .dropped(
        DroppedFrame(error.reason, at: received.presentationTime), from: received.source)
    }
  }

  private struct FrameDropped: Error {
    let reason: FrameDropReason
  }

  private func converted(
    _ received: ReceivedFrame, _ allowance: FrameAllowance
  ) throws(FrameDropped) -> CapturedFrame {
    guard let wish = received.wish else { return received.frame }
    // Asked for first: consumers that keep too much are not worked for.
    guard let ticket = allowance.ticket() else { throw FrameDropped(reason: .outOfBuffers) }
    do throws(ImagingError) {
      let pixels = try received.frame.pixels(wish)
      return received.frame.showing(pixels, holding: ticket)
    } catch {
      // The frame is whole where only the memory is missing.
      let lacksMemory = error.code == .tooLarge && received.frame.hasSizeOfItsFormat
      throw FrameDropped(reason: lacksMemory ? .outOfBuffers : .corrupt)
    }
  }
}

extension CapturedFrame {
  /// Whether a JPEG claims no more pixels than its format has; so it is of frames of samples.
  fileprivate var hasSizeOfItsFormat: Bool {
    guard pixelFormat.isJPEG, let size = JPEGPassthrough.size(of: bytes) else { return true }
    return size.width <= width && size.height <= height
  }
}
