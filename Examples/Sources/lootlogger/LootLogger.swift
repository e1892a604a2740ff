import CaptureKitLinux
import ExampleSupport
import Foundation
import ItemModel
import WebServer

/// An inventory of what one owns, with pictures, as a page in the browser.
@main
struct LootLogger {
  static let help = """
    Usage: lootlogger [OPTION]…

    Serves the page on this machine alone, and prints its address.

      --data DIR        where items and pictures are kept; by default
                        $XDG_DATA_HOME/lootlogger
      --port NUMBER     the port, by default 8080; 0 for any that is free
      --address ADDRESS another address of this machine: whoever opens the page needs a token
      --token TEXT      that token, 16 characters or more; otherwise one is made up and printed
      --host-name NAME  a name by which browsers call this machine; may be given several times
      --camera ID       an id of `snap devices`, or any node's path
      --simulated       the simulated camera instead of a real one
    """

  static func main() {
    runProgram("lootlogger") {
      let arguments = Array(CommandLine.arguments.dropFirst())
      if arguments == ["help"] { return print(help) }
      let options = try Options(
        arguments, flags: LootOptions.flags,
        valued: LootOptions.valued)
      if options.wantsHelp { return print(help) }
      try options.requireOperands(0)
      try await serve(
        LootOptions(options, environment: ProcessInfo.processInfo.environment))
    }
  }

  private static func serve(_ wish: LootOptions) async throws {
    if wish.isSimulated { CaptureEnvironment.default = .simulated() }
    let lifecycle = AppLifecycle(signals: AppLifecycle.endingSignals)
    let inventory = try Inventory(folder: wish.folder, lifecycle: lifecycle) {
      say("lootlogger: \($0)")
    }
    if let warning = inventory.warning { say("lootlogger: \(warning)") }
    let camera = CameraDesk(path: wish.camera, isSimulated: wish.isSimulated) { status in
      let json = (try? JSONEncoder().encode(status)) ?? Data()
      await inventory.tell(ChangeLog.event("camera", json))
    }
    let routes = Routes(page: try Page(), inventory: inventory, camera: camera)
    let server: WebServer
    do throws(WebServerError) {
      server = try WebServer(address: wish.address, port: wish.port, handler: routes)
    } catch {
      throw Failure(.unavailable, error.description)
    }
    routes.admit(
      by: WebGuard(
        port: server.port, names: wish.names.union([ProcessInfo.processInfo.hostName]),
        program: "lootlogger", token: wish.token))
    try printLine(greeting(wish, port: server.port))
    async let changes: Void = inventory.watch()
    async let rest: Void = camera.rest()
    // Until a signal ends the program; everything is saved by then.
    _ = await (changes, rest)
    withExtendedLifetime((server, lifecycle)) {}
  }

  private static func greeting(_ wish: LootOptions, port: Int) -> String {
    let host =
      switch wish.address {
      // No address, but all that the machine has.
      case "0.0.0.0", "::": ProcessInfo.processInfo.hostName
      case let address: address.contains(":") ? "[\(address)]" : address
      }
    let query = wish.token.map { "?token=\($0.text)" } ?? ""
    let camera = wish.isSimulated ? " (simulated camera)" : ""
    return "Open http://\(host):\(port)/\(query)\(camera)"
  }
}
