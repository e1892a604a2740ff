import CaptureKitLinux
import Foundation
import Imaging

/// What a camera shows, read and checked once: its formats, and a source for each stream.
struct FrameSupply: Sendable {
  let formats: [CaptureDevice.Format]
  private let makeSource: @Sendable (CaptureFormat) throws -> any FrameSource
  /// Why there are no frames; nil where there are.
  let failure: CaptureError?

  /// A source of frames in what a stream delivers.
  func source(for format: CaptureFormat) throws -> any FrameSource { try makeSource(format) }
}

extension FrameSupply {
  init(_ frames: MockFrames) {
    switch frames.kind {
    case .testPattern(let format, let color, let jpeg):
      self.init(formats: [format]) { try PatternSource(format: $0, color: color, jpeg: jpeg) }
    case .generated(let formats, let body):
      self.init(formats: formats) { _ in GeneratedSource(body: body) }
    case .jpegs(let files, let duration):
      self.init(pictures: files.map { ($0.path, try? Data(contentsOf: $0)) }, duration: duration)
    case .jpegData(let pictures, let duration):
      self.init(
        pictures: pictures.enumerated().map { ("picture \($0)", $1) }, duration: duration)
    }
  }

  private init(
    formats: [CaptureDevice.Format], failure: CaptureError? = nil,
    _ makeSource: @escaping @Sendable (CaptureFormat) throws -> any FrameSource
  ) {
    self.formats = formats
    self.failure = failure
    self.makeSource = makeSource
  }

  private init(pictures: [(name: String, bytes: Data?)], duration: FrameDuration) {
    var usable: [PictureSource.Picture] = []
    var sizes: [VideoDimensions] = []
    for (name, bytes) in pictures {
      guard let bytes, let size = JPEGMarkers(bytes)?.size else {
        let failure = CaptureError(
          .backendFailed, "\(name) is no JPEG file that can be read: give the camera another.")
        self.init(formats: [], failure: failure) { _ in throw failure }
        return
      }
      let dimensions = VideoDimensions(width: size.width, height: size.height)
      usable.append(PictureSource.Picture(bytes: bytes, dimensions: dimensions))
      if !sizes.contains(dimensions) { sizes.append(dimensions) }
    }
    let formats = sizes.map {
      CaptureDevice.Format(.mjpeg, dimensions: $0, frameDurations: [duration...duration])
    }
    self.init(formats: formats) { [usable] format in
      let fitting = usable.filter { $0.dimensions == format.dimensions }
      return PictureSource(pictures: fitting.isEmpty ? usable : fitting)
    }
  }
}
