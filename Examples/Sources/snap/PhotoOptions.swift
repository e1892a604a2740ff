import CaptureKitLinux
import ExampleSupport

/// What `snap photo` is asked for.
struct PhotoOptions {
  static let flags = CameraWish.flags.union(["--mirror"])
  static let valued = CameraWish.valued.union(FormatWish.valued).union([
    "--quality", "--orientation", "--rotate", "-o",
  ])

  let format: FormatWish
  let quality: Double?
  let orientation: CaptureVideoOrientation
  let rotation: CapturePhotoSettings.Rotation
  let isMirrored: Bool
  /// A file's path, `-` for stdout; nil for a name by date.
  let output: String?

  init(_ options: Options) throws {
    format = try FormatWish(options)
    quality = try options.value("--quality", expected: "a number from 0 to 1") {
      Double($0).flatMap { (0...1).contains($0) ? $0 : nil }
    }
    orientation = try CaptureVideoOrientation.wish(options)
    let rotations: [String: CapturePhotoSettings.Rotation] = ["pixels": .pixels, "exif": .exif]
    rotation = try options.value("--rotate", expected: "pixels or exif") { rotations[$0] } ?? .exif
    isMirrored = options.has("--mirror")
    output = try options.value(
      "-o", expected: "a file for a JPEG: no / at the end, nor another format's name"
    ) { Self.isForJPEG($0) ? $0 : nil }
  }

  /// Whether a path is no folder's, and does not promise what the file will not be.
  private static func isForJPEG(_ path: String) -> Bool {
    let others = [".png", ".heic", ".heif", ".avif", ".webp", ".gif", ".tif", ".tiff", ".bmp"]
    return !path.hasSuffix("/") && !others.contains { path.lowercased().hasSuffix($0) }
  }
}

extension CaptureVideoOrientation {
  /// How a command line says that the camera is held.
  static func wish(_ options: Options) throws -> CaptureVideoOrientation {
    let orientations: [String: CaptureVideoOrientation] = [
      "portrait": .portrait, "portrait-upside-down": .portraitUpsideDown,
      "landscape-right": .landscapeRight, "landscape-left": .landscapeLeft,
    ]
    return try options.value(
      "--orientation",
      expected: "portrait, portrait-upside-down, landscape-right or landscape-left"
    ) { orientations[$0] } ?? .portrait
  }
}
