import CaptureKitLibrary
import CaptureKitLinux
import ExampleSupport
import Foundation
import TerminalPicture

/// Takes and chooses pictures and movies in a terminal.
@main
struct Camera {
  static let help = """
    Usage: camera [OPTION]…

    Takes a photo or records a movie, or chooses one of the library; crops it; and shows it in
    the terminal, by Kitty's graphics protocol or in coloured half blocks. The last line of the
    screen says the keys. What was taken lands in the library; where it is, is printed at the end.

      --folder DIR     the library's folder (default: the user's pictures and videos)
      -o FILE          where the result goes, instead of the library; its ending becomes the one
                       of what is in it
      --graphics WHAT  auto: asks the terminal (default); kitty; blocks
      --colors WHAT    of half blocks; auto: as COLORTERM and TERM say (default); truecolor; 256
      --no-camera      chooses from the library, whatever cameras there are
      --simulated      simulated cameras instead of real ones
    """

  static func main() {
    runProgram("camera") {
      let options = try Options(
        Array(CommandLine.arguments.dropFirst()), flags: ["--simulated", "--no-camera"],
        valued: ["--folder", "-o", "--graphics", "--colors"])
      if options.wantsHelp { return print(help) }
      try options.requireOperands(0)
      let screen = try screen(try PictureWish(options))
      let program = CameraProgram(
        on: screen, try await equipment(options),
        output: options.text("-o").map { URL(filePath: $0) })
      let ending: Result<Void, any Error>
      do {
        ending = .success(try await program.run())
      } catch {
        ending = .failure(error)
      }
      // In this order: the terminal does not wait for a camera that takes its time.
      screen.close()
      await program.end()
      for path in await program.savedPaths { print(path) }
      try ending.get()
    }
  }

  private static func screen(_ wish: PictureWish) throws -> TerminalScreen {
    do {
      return try TerminalScreen(wish, captionRowCount: 2)
    } catch .failed(let number) {
      throw Failure(.inputOutput, "\(TerminalError.failed(errno: number))")
    } catch {
      throw Failure(.usage, "\(error)")
    }
  }

  private static func equipment(_ options: Options) async throws -> CameraProgram.Equipment {
    if options.has("--no-camera") {
      CaptureEnvironment.default = CaptureEnvironment(backends: [])
    } else if options.has("--simulated") {
      CaptureEnvironment.default = .simulated(hasRearCamera: true)
    }
    // Without a look at cameras that fails there are pictures to be chosen.
    let cameras = (try? await CaptureEnvironment.current.devices()) ?? []
    let folder = options.text("--folder").map { URL(filePath: $0, directoryHint: .isDirectory) }
    return CameraProgram.Equipment(
      cameras: cameras.filter { $0.authorization == .authorized },
      isSimulated: options.has("--simulated") && !options.has("--no-camera"),
      library: try folder.map { try PhotoLibrary(folders: [$0]) } ?? (try? PhotoLibrary()))
  }
}

extension PictureWish {
  fileprivate init(_ options: Options) throws {
    self.init(
      graphics: try options.value("--graphics", expected: "auto, kitty or blocks", Graphics.init)
        ?? .automatic,
      colors: try options.value("--colors", expected: "auto, truecolor or 256", Colors.init)
        ?? .automatic)
  }
}
