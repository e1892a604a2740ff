import CaptureKitLinux
import ExampleSupport

/// `snap formats`: lists what a camera offers.
enum FormatsCommand {
  static let help = """
    Usage: snap formats [--camera ID] [--simulated] [--require-camera]

    Lists a camera's pixel formats, sizes and highest rates, one a line.

      --camera ID        an id of `snap devices`, or any node's path
      --simulated        the simulated camera instead of a real one
      --require-camera   fails where there is no camera
    """

  static func run(_ arguments: [String]) async throws {
    let options = try Options(arguments, flags: CameraWish.flags, valued: CameraWish.valued)
    if options.wantsHelp { return print(help) }
    try options.requireOperands(0)
    for format in try await CameraWish(options).camera().loadFormats() { print(format) }
  }
}
