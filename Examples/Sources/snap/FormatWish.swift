import CaptureKitLinux
import ExampleSupport
import Imaging

/// Which of a camera's formats a command line asks for.
struct FormatWish {
  static let valued: Set<String> = ["--size", "--format"]

  private let size: VideoDimensions?
  private let format: PixelFormat?

  init(_ options: Options) throws {
    size = try options.value("--size", expected: "WIDTHxHEIGHT, as 1280x720", Self.size)
    format = try options.value("--format", expected: "four characters, or mjpeg", Self.format)
  }

  /// Makes the camera deliver the format; leaves it alone where nothing was asked for.
  func apply(to camera: CaptureDevice) throws {
    guard let format = try choose(from: camera.loadFormats()) else { return }
    try camera.lockForConfiguration()
    defer { camera.unlockForConfiguration() }
    try camera.setActiveFormat(format)
  }

  private static func size(_ text: String) -> VideoDimensions? {
    let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard sides.count == 2, let width = sides[0], let height = sides[1], width > 0, height > 0
    else { return nil }
    return VideoDimensions(width: width, height: height)
  }

  /// A name that people use, or a four-character code in capitals or not.
  private static func format(_ text: String) -> PixelFormat? {
    let names: [String: PixelFormat] = [
      "mjpeg": .mjpeg, "yuy2": .yuyv, "i420": .yuv420, "yuv420": .yuv420, "rgb24": .rgb24,
      "bgr24": .bgr24, "bgra": .bgra32, "gray": .grey,
    ]
    return names[text.lowercased()] ?? PixelFormat(fourCharacterCode: text.uppercased())
  }

  /// The first of a camera's formats that fits, in the size that was asked for; nil where nothing
  /// was asked for.
  private func choose(from formats: [CaptureDevice.Format]) throws -> CaptureDevice.Format? {
    guard size != nil || format != nil else { return nil }
    let fitting = formats.lazy.filter { [format] offered in
      guard let format else { return true }
      // Cameras use both codes of JPEG for the same thing.
      return offered.pixelFormat == format || (format.isJPEG && offered.pixelFormat.isJPEG)
    }
    if let size {
      if let chosen = fitting.compactMap({ $0.narrowed(to: size) }).first { return chosen }
    } else if let chosen = fitting.max(by: {
      $0.maximumDimensions.pixelCount < $1.maximumDimensions.pixelCount
    }) {
      return chosen
    }
    let wish = [format?.description, size?.description].compactMap { $0 }.joined(separator: " ")
    throw Failure(.unavailable, "The camera does not offer \(wish): see `snap formats`.")
  }
}
