import ExampleSupport
import Foundation
import Selfies
import Window

/// Selfies in a window: a live preview, a shutter, and the list of what was taken.
@main
struct Selfiegram {
  static let help = """
    Usage: selfiegram [--simulated] [--folder DIR] [--full-screen] [--verbose]

      --simulated    cameras that do not exist, on a machine without one
      --folder DIR   keeps the selfies there; else in Selfies in your pictures folder
      --full-screen  fills the screen from the start
      --verbose      says on stdout what happens, one line each

    Click, tap or Space takes the photo, C chooses another camera, F fills the screen, Escape
    leaves. The window is SDL's: SDL_VIDEODRIVER=x11, wayland or kmsdrm, a bare console, chooses.
    """

  static func main() {
    runProgramOnMainThread("selfiegram") {
      let options = try Options(
        Array(CommandLine.arguments.dropFirst()),
        flags: ["--simulated", "--full-screen", "--verbose"], valued: ["--folder"])
      if options.wantsHelp { return print(help) }
      try options.requireOperands(0)
      try run(options)
    }
  }

  private static func run(_ options: Options) throws {
    let simulation = options.has("--simulated") ? Simulation() : nil
    if let simulation {
      simulation.begin()
      say("The cameras are simulated.")
    }
    let folder = options.text("--folder").map { URL(filePath: $0, directoryHint: .isDirectory) }
    let album = try SelfieAlbum(folder: folder)
    let window: Window
    do {
      window = try Window(
        title: simulation == nil ? "Selfiegram" : "Selfiegram (simulated cameras)",
        width: 960, height: 720, isFullScreen: options.has("--full-screen"))
    } catch {
      throw Failure(.unavailable, error.description)
    }
    App(window, album, simulation, isVerbose: options.has("--verbose")).run()
  }
}
