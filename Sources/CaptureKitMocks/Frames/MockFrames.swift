public import CaptureKitLinux
public import Foundation
public import Imaging

/// What a simulated camera shows.
///
/// ```swift
/// MockCamera(frames: .testPattern(.yuyv, width: 640, height: 480))
/// MockCamera(frames: .jpegFiles([URL(filePath: "cat.jpg"), URL(filePath: "dog.jpg")]))
/// ```
public struct MockFrames: Sendable {
  enum Kind: Sendable {
    case testPattern(CaptureDevice.Format, ColorDescription, JPEGStyle)
    case jpegs([URL], FrameDuration)
    case jpegData([Data], FrameDuration)
    case generated([CaptureDevice.Format], @Sendable (MockFrameRequest) throws -> CapturedFrame)
  }

  let kind: Kind

  /// The ``TestPattern``, in any size and format that the camera offers.
  ///
  /// - Parameters:
  ///   - format: YUYV, UYVY, NV12, YU12, GREY, RGB24, BGR24, BGRA32 or MJPEG.
  ///   - width: Pixels in a row.
  ///   - height: Rows.
  ///   - framesPerSecond: The rate; 0 counts as 1.
  ///   - range: Which numbers black and white are in raw frames with luma; MJPEG is always full.
  ///   - jpegQuality: From 0, small, to 1, good; from 0.85 on colours are as exact as in raw frames.
  ///   - omitsHuffmanTables: Whether MJPEG pictures lack their Huffman tables, as many webcams' do.
  /// - Returns: Frames to give to a ``MockCamera``.
  public static func testPattern(
    _ format: PixelFormat, width: Int, height: Int, framesPerSecond: UInt32 = 30,
    range: ColorDescription.Range = .limited, jpegQuality: Double = 0.9,
    omitsHuffmanTables: Bool = false
  ) -> MockFrames {
    let duration = FrameDuration.framesPerSecond(max(1, framesPerSecond)) ?? .thirtieth
    let offered = CaptureDevice.Format(
      format, dimensions: VideoDimensions(width: width, height: height),
      frameDurations: [duration...duration])
    return MockFrames(
      kind: .testPattern(
        offered, ColorDescription(matrix: .bt601, range: range),
        JPEGStyle(quality: jpegQuality, omitsHuffmanTables: omitsHuffmanTables)))
  }

  /// JPEG files, one after the other, again and again; as MJPEG, one format for each size.
  ///
  /// Files are read when the camera is made. A camera whose files cannot be read is listed without
  /// formats, and throws `backendFailed` when it is opened.
  ///
  /// - Parameters:
  ///   - files: The files.
  ///   - framesPerSecond: The rate; 0 counts as 1.
  /// - Returns: Frames to give to a ``MockCamera``.
  public static func jpegFiles(_ files: [URL], framesPerSecond: UInt32 = 30) -> MockFrames {
    MockFrames(
      kind: .jpegs(files, .framesPerSecond(max(1, framesPerSecond)) ?? .thirtieth))
  }

  /// JPEG pictures in memory, one after the other, again and again; see ``jpegFiles(_:framesPerSecond:)``.
  ///
  /// - Parameters:
  ///   - pictures: Each a whole JPEG file.
  ///   - framesPerSecond: The rate; 0 counts as 1.
  /// - Returns: Frames to give to a ``MockCamera``.
  public static func jpegData(_ pictures: [Data], framesPerSecond: UInt32 = 30) -> MockFrames {
    MockFrames(
      kind: .jpegData(pictures, .framesPerSecond(max(1, framesPerSecond)) ?? .thirtieth))
  }

  /// Frames of your own making.
  ///
  /// ```swift
  /// let format = CaptureDevice.Format(.grey, dimensions: VideoDimensions(width: 2, height: 1))
  /// let frames = MockFrames.generated([format]) { request in
  ///   guard let layout = PixelLayout(format: .grey, width: 2, height: 1) else {
  ///     throw CaptureError(.backendFailed)
  ///   }
  ///   return CapturedFrame(
  ///     bytes: [0, 255], layout: layout, sequence: request.sequence, timestamp: request.timestamp)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - formats: What the camera offers.
  ///   - body: Makes the frame that is asked for; called on the camera's thread, one call at a time
  ///     for each stream. What it throws ends the stream.
  /// - Returns: Frames to give to a ``MockCamera``.
  public static func generated(
    _ formats: [CaptureDevice.Format],
    _ body: @escaping @Sendable (MockFrameRequest) throws -> CapturedFrame
  ) -> MockFrames {
    MockFrames(kind: .generated(formats, body))
  }
}
