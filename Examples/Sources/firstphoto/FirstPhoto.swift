import ExampleSupport
import Foundation

/// A photo, kept with the item that it shows; read back by another run of the program.
@main
struct FirstPhoto {
  static let help = """
    Usage: firstphoto take [--simulated] [--require-camera] [--camera ID] DIR
           firstphoto show DIR

      take   takes a photo with the first camera, or the simulated one where there is none,
             and keeps it in DIR with an item
      show   reads the newest item of DIR and its picture back
    """

  static func main() async {
    await runProgram("firstphoto") {
      let arguments = CommandLine.arguments.dropFirst()
      let rest = Array(arguments.dropFirst())
      switch arguments.first {
      case "take":
        let options = try Options(rest, flags: CameraWish.flags, valued: CameraWish.valued)
        if options.wantsHelp { return print(help) }
        try options.requireOperands(1)
        let camera = try await CameraWish(options).camera()
        try await Album(directory: options.operands[0]).take(with: camera)
      case "show":
        let options = try Options(rest, flags: [])
        if options.wantsHelp { return print(help) }
        try options.requireOperands(1)
        try Album(directory: options.operands[0]).show()
      case "--help", "-h": print(help)
      default: throw Failure(.usage, "Say `take DIR` or `show DIR`; see --help.")
      }
    }
  }
}
