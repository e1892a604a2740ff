import CaptureKitLinux
import ExampleSupport
import Imaging

/// What `snap stream` is asked for.
struct StreamOptions {
  static let flags = CameraWish.flags.union(["--stats"])
  static let valued = CameraWish.valued.union(FormatWish.valued).union([
    "--preset", "--frames", "--duration", "--convert",
  ])

  let wantsStats: Bool
  let limits: StreamLimits
  let preset: CaptureSession.Preset?
  let format: FormatWish
  /// What frames are converted to; nil for the camera's own.
  let conversion: PixelFormat?

  private static let presets: [CaptureSession.Preset] = [
    .photo, .high, .medium, .low, .vga640x480, .hd1280x720, .hd1920x1080, .hd4K3840x2160,
  ]

  init(_ options: Options) throws {
    wantsStats = options.has("--stats")
    limits = try StreamLimits(options)
    let names = Self.presets.map(\.rawValue).joined(separator: ", ")
    preset = try options.value("--preset", expected: "one of \(names)") { name in
      Self.presets.first { $0.rawValue == name }
    }
    format = try FormatWish(options)
    let conversions: [String: PixelFormat] = ["bgra": .bgra, "nv12": .nv12]
    conversion = try options.value("--convert", expected: "bgra or nv12") {
      conversions[$0.lowercased()]
    }
    if preset != nil, options.has("--size") || options.has("--format") {
      throw Failure(.usage, "--preset excludes --size and --format: drop one.")
    }
  }
}
