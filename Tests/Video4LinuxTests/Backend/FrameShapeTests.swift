import Imaging
import Testing

@testable import CaptureKitLinux
@testable import Video4Linux

/// What is made of a driver's words for its frames.
@Suite(.timeLimit(.minutes(1)))
struct FrameShapeTests {
  private func shape(
    _ fourcc: FourCC = .yuyv, bytesPerLine: UInt32 = 128, colorspace: Colorspace = .srgb,
    encoding: YCbCrEncoding = .unspecified, quantization: Quantization = .unspecified,
    bufferCount: Int = 4
  ) -> FrameShape {
    FrameShape(
      StreamSettings(
        format: VideoFormat(
          size: FrameSize(width: 64, height: 32), fourcc: fourcc,
          planes: [.init(bytesPerLine: bytesPerLine, byteCount: 64 * 32 * 2)],
          colorspace: colorspace, ycbcrEncoding: encoding, quantization: quantization),
        interval: nil, bufferCount: bufferCount))
  }

  /// `V4L2_MAP_YCBCR_ENC_DEFAULT` and what drivers say themselves.
  @Test(
    arguments: [
      (.srgb, .unspecified, .bt601), (.smpte170m, .unspecified, .bt601),
      (.rec709, .unspecified, .bt709), (.dciP3, .unspecified, .bt709),
      (.smpte240m, .unspecified, .bt709), (.bt2020, .unspecified, .bt2020),
      (.unspecified, .unspecified, .bt601), (.srgb, .rec709, .bt709), (.srgb, .xv709, .bt709),
      (.rec709, .rec601, .bt601), (.rec709, .xv601, .bt601), (.srgb, .bt2020, .bt2020),
      (.srgb, .bt2020ConstantLuminance, .bt2020), (.srgb, .smpte240m, .bt709),
    ] as [(Colorspace, YCbCrEncoding, ColorDescription.Matrix)])
  func readsTheMatrix(
    colorspace: Colorspace, encoding: YCbCrEncoding, matrix: ColorDescription.Matrix
  ) {
    let shape = shape(colorspace: colorspace, encoding: encoding)
    #expect(shape.color == ColorDescription(matrix: matrix, range: .limited))
  }

  /// `V4L2_MAP_QUANTIZATION_DEFAULT` and what drivers say themselves.
  @Test(
    arguments: [
      (.yuyv, .srgb, .unspecified, .limited), (.yuyv, .jpeg, .unspecified, .full),
      (.yuyv, .srgb, .fullRange, .full), (.yuyv, .jpeg, .limitedRange, .limited),
      (.rgb24, .srgb, .unspecified, .full), (.mjpg, .rec709, .limitedRange, .full),
    ] as [(FourCC, Colorspace, Quantization, ColorDescription.Range)])
  func readsTheRange(
    fourcc: FourCC, colorspace: Colorspace, quantization: Quantization,
    range: ColorDescription.Range
  ) {
    #expect(
      shape(fourcc, colorspace: colorspace, quantization: quantization).color.range == range)
  }

  @Test(arguments: [(0, 128), (128, 128), (160, 160)] as [(UInt32, Int)])
  func readsTheRowsLength(said: UInt32, bytesPerRow: Int) {
    #expect(shape(bytesPerLine: said).layout?.planes.map(\.bytesPerRow) == [bytesPerRow])
  }

  /// With two buffers the driver must have one of them, with more two.
  @Test(arguments: [(1, 1), (2, 1), (3, 2), (4, 2), (32, 2)])
  func leavesTheDriverItsBuffers(bufferCount: Int, fewestQueued: Int) {
    #expect(shape(bufferCount: bufferCount).fewestQueued == fewestQueued)
  }
}
