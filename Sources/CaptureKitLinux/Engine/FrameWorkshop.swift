import Dispatch
import Imaging
import Synchronization

/// Makes frames what an output's consumers want, away from the camera's thread and theirs.
final class FrameWorkshop: Sendable {
  let queue = DispatchQueue(label: "CaptureKitLinux.video.conversions")
  private let allowance = FrameAllowance(limit: 8)
  private let counts: FrameCounts

  init(counts: FrameCounts) {
    self.counts = counts
  }

  /// The frame converted, or why it is dropped.
  func letter(for received: ReceivedFrame) -> FrameLetter<ReceivedFrame> {
    do throws(FrameDropped) {
      return .frame(
        ReceivedFrame(
          frame: try converted(received), source: received.source, recipe: ReceivedFrame.Recipe()))
    } catch {
      counts.note(error.reason)
      return .dropped(
        DroppedFrame(error.reason, at: received.presentationTime), from: received.source)
    }
  }

  private struct FrameDropped: Error {
    let reason: FrameDropReason
  }

  private func converted(_ received: ReceivedFrame) throws(FrameDropped) -> CapturedFrame {
    guard let format = received.recipe.format else { return received.frame }
    // Asked for first: consumers that keep too much are not worked for.
    guard let ticket = allowance.ticket() else { throw FrameDropped(reason: .outOfBuffers) }
    do throws(ImagingError) {
      let pixels = try received.frame.pixels(as: format, by: received.recipe.orientation)
      return received.frame.showing(pixels, holding: ticket)
    } catch {
      throw FrameDropped(reason: .corrupt)
    }
  }
}
