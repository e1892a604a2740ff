import CaptureKitLinux
import Imaging
import Testing

/// Frames of the virtual USB camera as programs get them.
@Suite(.inLab(.usb), .timeLimit(.minutes(1)))
struct USBFrameTests {
  @Test(arguments: [PixelFormat.mjpeg, .yuyv])
  func comeAsBGRAInOrder(format: PixelFormat) async throws {
    let studio = try LabStudio(format)

    let frames = try await studio.frames(4, as: .pixelFormat(.bgra))

    #expect(frames.count == 4)
    #expect(frames.allSatisfy { $0.pixelFormat == .bgra && $0.dimensions == LabStudio.smallSize })
    #expect(zip(frames, frames.dropFirst()).allSatisfy { $0.sequence < $1.sequence })
    #expect(
      zip(frames, frames.dropFirst()).allSatisfy { $0.presentationTime < $1.presentationTime })
  }
}
