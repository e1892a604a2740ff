import CaptureKitLinux
import ExampleSupport
import TerminalPicture

/// What `snap preview` is asked for.
struct PreviewOptions {
  static let flags = CameraWish.flags.union(["--stats"])
  static let valued = CameraWish.valued.union(FormatWish.valued).union([
    "--gravity", "--orientation", "--graphics", "--colors", "--frames", "--duration",
  ])

  let gravity: LayerVideoGravity
  let orientation: CaptureVideoOrientation
  let picture: PictureWish
  let format: FormatWish
  let limits: StreamLimits
  let wantsStats: Bool

  init(_ options: Options) throws {
    let gravities: [String: LayerVideoGravity] = [
      "resize": .resize, "resizeaspect": .resizeAspect, "resizeaspectfill": .resizeAspectFill,
    ]
    gravity =
      try options.value("--gravity", expected: "resize, resizeAspect or resizeAspectFill") {
        gravities[$0.lowercased()]
      } ?? .resizeAspect
    orientation = try CaptureVideoOrientation.wish(options)
    picture = PictureWish(
      graphics: try options.value(
        "--graphics", expected: "auto, kitty or blocks", PictureWish.Graphics.init)
        ?? .automatic,
      colors: try options.value(
        "--colors", expected: "auto, truecolor or 256", PictureWish.Colors.init) ?? .automatic)
    format = try FormatWish(options)
    limits = try StreamLimits(options)
    wantsStats = options.has("--stats")
  }
}
