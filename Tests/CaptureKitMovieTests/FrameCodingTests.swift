import CaptureKitLinux
import Foundation
import Imaging
import Testing

@testable import CaptureKitMovie

/// Which coder serves which frames, with an encoder and without one.
@Suite(.timeLimit(.minutes(1)))
struct FrameCodingTests {
  private static func frame(_ format: PixelFormat) throws -> CapturedFrame {
    let stamp = FrameTimestamp(HostTime(nanoseconds: 1), .pickup)
    if let layout = PixelLayout(format: format, width: 16, height: 16) {
      return CapturedFrame(
        bytes: [UInt8](repeating: 1, count: layout.byteCount(ofBlock: 0)), layout: layout,
        sequence: 0, timestamp: stamp)
    }
    return CapturedFrame(
      compressed: Data([1, 2, 3]), as: format,
      dimensions: VideoDimensions(width: 16, height: 16), sequence: 0, timestamp: stamp)
  }

  private static func coder(
    _ format: PixelFormat, _ codec: VideoCodecType?, encoder: String?
  ) throws -> any FrameCoder {
    let frame = try frame(format)
    return try FrameCoding(frame, MovieSettings(codec: codec)).coder(for: frame, encoder: encoder)
  }

  @Test(arguments: [PixelFormat.mjpeg, .jpeg], [nil, VideoCodecType.jpeg])
  func leavesJPEGAsItIs(format: PixelFormat, codec: VideoCodecType?) throws {
    #expect(try Self.coder(format, codec, encoder: "any") is JPEGPassthroughCoder)
  }

  @Test(arguments: [nil, VideoCodecType.h264])
  func leavesH264AsItIs(codec: VideoCodecType?) throws {
    #expect(try Self.coder(.h264, codec, encoder: nil) is H264PassthroughCoder)
  }

  @Test(arguments: [PixelFormat.yuyv, .nv12, .rgb24])
  func makesJPEGOfRawFramesWhereNoEncoderIsInstalled(format: PixelFormat) throws {
    #expect(try Self.coder(format, nil, encoder: nil) is JPEGEncodingCoder)
    #expect(try Self.coder(format, nil, encoder: "no such encoder") is JPEGEncodingCoder)
    #expect(try Self.coder(format, .jpeg, encoder: "any") is JPEGEncodingCoder)
  }

  @Test(.enabled(if: LibAVEncoder.installed != nil), arguments: [PixelFormat.yuyv, .mjpeg])
  func makesH264WhereItIsAskedFor(format: PixelFormat) throws {
    let coder = try Self.coder(format, .h264, encoder: LibAVEncoder.installed)

    #expect(coder is H264EncodingCoder)
    #expect(coder.encoder == LibAVEncoder.installed)
  }

  @Test(arguments: [PixelFormat.yuyv, .mjpeg])
  func saysWhatToInstallForH264(format: PixelFormat) {
    #expect {
      _ = try Self.coder(format, .h264, encoder: nil)
    } throws: {
      ($0 as? MovieError)?.code == .unsupportedCodec && "\($0)".contains("libavcodec")
    }
  }

  @Test func doesNotMakeJPEGOfH264() {
    #expect {
      _ = try Self.coder(.h264, .jpeg, encoder: "any")
    } throws: {
      ($0 as? MovieError)?.code == .unsupportedCodec
    }
  }
}
