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

  static func main() {
    runProgram("firstphoto") {
      let arguments = CommandLine.arguments.dropFirst()
      let rest = Array(arguments.dropFirst())
      switch arguments.first {
      case "take":
        let options = try Options(rest, flags: CameraWish.flags, valued: CameraWish.valued)
        if options.wantsHelp { return print(help) }
        let folder = try folder(options)
        let camera = try await CameraWish(options).camera()
        try await Album(directory: folder).take(with: camera)
      case "show":
        let options = try Options(rest, flags: [])
        if options.wantsHelp { return print(help) }
        try Album(directory: folder(options)).show()
      case "--help", "-h", "help": print(help)
      default: throw Failure(.usage, "Say `take DIR` or `show DIR`; see --help.")
      }
    }
  }

  private static func folder(_ options: Options) throws -> String {
    try options.requireOperands(1)
    guard let folder = options.operands.first, !folder.isEmpty else {
      throw Failure(.usage, "The folder's name is empty: name one, or . for this one.")
    }
    return folder
  }
}
