public import Imaging
import Synchronization

extension CaptureVideoDataOutput {
  /// What frames are to be delivered as.
  public struct VideoSettings: Hashable, Sendable {
    /// The pixel format; nil for the camera's own.
    public let pixelFormat: PixelFormat?

    /// As the camera sends them: its bytes, JPEG too, without a copy, and never turned.
    public static let native = VideoSettings(pixelFormat: nil)

    /// Converted to one pixel format, range and matrix honoured; turned where the connection says
    /// so.
    ///
    /// - Parameter format: One of ``CaptureVideoDataOutput/availableVideoPixelFormatTypes``.
    /// - Returns: The settings.
    public static func pixelFormat(_ format: PixelFormat) -> VideoSettings {
      VideoSettings(pixelFormat: format)
    }
  }

  /// The formats that frames can be converted to, whatever the camera sends: BGRA and NV12.
  public var availableVideoPixelFormatTypes: [PixelFormat] { Self.pixelFormats }

  private static let pixelFormats: [PixelFormat] = [.bgra, .nv12]

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
  ///   available.
  public func setVideoSettings(_ settings: VideoSettings) throws {
    if let format = settings.pixelFormat, !Self.pixelFormats.contains(format) {
      throw CaptureError(
        .unsupportedFormat,
        "Frames cannot be delivered as \(format): use .bgra, .nv12, or .native for the camera's own."
      )
    }
    state.withLock { $0.videoSettings = settings }
  }

  /// The last refused setting; nil where there was none.
  public var lastError: CaptureError? { state.withLock { $0.lastError } }
}
