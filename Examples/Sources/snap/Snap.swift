import ExampleSupport

/// Takes photos and records movies from the command line.
@main
struct Snap {
  static let help = """
    Usage: snap COMMAND [OPTION]…

      snap devices   lists the cameras
      snap formats   lists what a camera offers
      snap controls  lists and sets a camera's controls
      snap photo     takes a photo
      snap pick      takes or chooses a picture, and crops it
      snap movie     records a movie
      snap library   lists pictures and movies, and writes thumbnails
      snap preview   shows live what a camera sees, in the terminal
      snap stream    streams, and says how well it goes
      snap watch     says which cameras come and go

    Each has options of its own: snap photo --help.
    """

  static func main() {
    runProgram("snap") {
      let arguments = CommandLine.arguments.dropFirst()
      let rest = Array(arguments.dropFirst())
      switch arguments.first {
      case "devices": try await DevicesCommand.run(rest)
      case "formats": try await FormatsCommand.run(rest)
      case "controls": try await ControlsCommand.run(rest)
      case "photo": try await PhotoCommand.run(rest)
      case "pick": try await PickCommand.run(rest)
      case "movie": try await MovieCommand.run(rest)
      case "library": try await LibraryCommand.run(rest)
      case "preview": try await PreviewCommand.run(rest)
      case "stream": try await StreamCommand.run(rest)
      case "watch": try await WatchCommand.run(rest)
      case "--help", "-h": print(help)
      case "help": print(try help(of: rest))
      case nil:
        throw Failure(
          .usage,
          "Say what to do: devices, formats, controls, photo, pick, movie, library, preview, "
            + "stream or watch; see --help."
        )
      case let word?:
        throw Failure(.usage, "There is no command \(word): see --help.")
      }
    }
  }

  private static func help(of words: [String]) throws -> String {
    switch words.first {
    case nil: help
    case "devices": DevicesCommand.help
    case "formats": FormatsCommand.help
    case "controls": ControlsCommand.help
    case "photo": PhotoCommand.help
    case "pick": PickCommand.help
    case "movie": MovieCommand.help
    case "library": LibraryCommand.help
    case "preview": PreviewCommand.help
    case "stream": StreamCommand.help
    case "watch": WatchCommand.help
    case let word?:
      throw Failure(
        .usage, "There is no help on \(word), only on the commands: see --help.")
    }
  }
}
