public import Imaging
import Synchronization

extension CaptureVideoDataOutput {
  /// What frames are to be delivered as.
  public struct VideoSettings: Hashable, Sendable {
    /// The pixel format; nil for the camera's own.
    public let pixelFormat: PixelFormat?
    /// Which numbers black and white are; nil where the frame's own range stays.
    public let range: ColorDescription.Range?

    /// As the camera sends them: its bytes, JPEG too, without a copy, and never turned.
    public static let native = VideoSettings(pixelFormat: nil, range: nil)

    /// Converted to one pixel format, range and matrix honoured; turned where the connection says
    /// so.
    ///
    /// ```swift
    /// video.videoSettings = .pixelFormat(.nv12, range: .limited)  // Apple's “420v”
    /// video.videoSettings = .pixelFormat(.nv12, range: .full)  // Apple's “420f”
    /// ```
    ///
    /// - Parameters:
    ///   - format: One of ``CaptureVideoDataOutput/availableVideoPixelFormatTypes``.
    ///   - range: Which numbers black and white are to be. nil keeps the frame's range; of JPEG and
    ///     RGB, luma and chroma get the limited one, `.grey` the full one. ``CapturedFrame/color``
    ///     says which it is.
    /// - Returns: The settings.
    public static func pixelFormat(
      _ format: PixelFormat, range: ColorDescription.Range? = nil
    ) -> VideoSettings {
      VideoSettings(pixelFormat: format, range: range)
    }
  }

  /// The formats that frames can be converted to, whatever the camera sends; the first is the one
  /// that costs least.
  ///
  /// That is the format of the first camera that is delivering, if it is one of them. Otherwise it
  /// is `.bgra`, and `.nv12`, `.yuv420`, `.yuyv`, `.uyvy`, `.rgb24`, `.bgr24` and `.grey` follow.
  ///
  /// - Note: Linux: as Apple's `32BGRA`, `420v` or `420f`, `y420` or `f420`, `yuvs`, `2vuy`,
  ///   `24RGB`, `24BGR` and `L008`.
  public var availableVideoPixelFormatTypes: [PixelFormat] {
    let native = connections.first { $0.isActive }?.format?.pixelFormat
    return Self.pixelFormats.filter { $0 == native } + Self.pixelFormats.filter { $0 != native }
  }

  private static let pixelFormats: [PixelFormat] = [
    .bgra, .nv12, .yuv420, .yuyv, .uyvy, .rgb24, .bgr24, .grey,
  ]

  /// What frames are delivered as; the camera's own format until it is set.
  ///
  /// Takes effect with the next frame, also while the session runs. A pixel format that is not
  /// available changes nothing and is kept in ``lastError``; ``setVideoSettings(_:)`` throws it.
  public var videoSettings: VideoSettings {
    get { state.withLock { $0.videoSettings } }
    set {
      do {
        try setVideoSettings(newValue)
      } catch {
        let error = CaptureError.wrapping(error)
        state.withLock { $0.lastError = error }
      }
    }
  }

  /// Sets what frames are delivered as.
  ///
  /// - Parameter settings: From the next frame on.
  /// - Throws: ``CaptureError`` with the code `unsupportedFormat` for a pixel format that is not
  ///   available, and for red, green and blue with limited range.
  public func setVideoSettings(_ settings: VideoSettings) throws {
    if let format = settings.pixelFormat {
      guard Self.pixelFormats.contains(format) else {
        throw CaptureError(
          .unsupportedFormat,
          "Frames cannot be delivered as \(format): use .bgra, .nv12 or another of "
            + "availableVideoPixelFormatTypes, or .native for the camera's own.")
      }
      guard !format.isRGB || settings.range != .limited else {
        throw CaptureError(
          .unsupportedFormat,
          "Red, green and blue have full range: ask for \(format) without a range, or for luma and "
            + "chroma, .nv12 for example.")
      }
    }
    state.withLock { $0.videoSettings = settings }
  }

  /// The last refused setting; nil where there was none.
  public var lastError: CaptureError? { state.withLock { $0.lastError } }
}
