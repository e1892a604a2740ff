import ExampleSupport
import Foundation
import WebServer

/// What the command line asks for.
struct LootOptions {
  static let flags: Set<String> = ["--simulated"]
  static let valued: Set<String> = [
    "--camera", "--data", "--address", "--port", "--token", "--host-name",
  ]

  let isSimulated: Bool
  let camera: String?
  let folder: URL
  let address: String
  let port: Int
  let names: Set<String>
  /// nil for clients of this machine alone.
  let token: AccessToken?

  init(_ options: Options, environment: [String: String]) throws {
    isSimulated = options.has("--simulated")
    camera = options.text("--camera")
    address = options.text("--address") ?? "127.0.0.1"
    port =
      try options.value("--port", expected: "a number up to 65535") { text in
        Int(text).flatMap { (0...65535).contains($0) ? $0 : nil }
      } ?? 8080
    names = Set(options.texts("--host-name"))
    let given = try options.value(
      "--token",
      expected: "\(AccessToken.minimumLength) letters, digits, - or _, or more"
    ) { AccessToken($0) }
    token = given ?? (Self.isLoopback(address) ? nil : AccessToken())
    folder = Self.folder(options.text("--data"), environment)
  }

  static func isLoopback(_ address: String) -> Bool {
    address == "::1"
      || address.hasPrefix("127.") && address.split(separator: ".").count == 4
  }

  private static func folder(_ named: String?, _ environment: [String: String]) -> URL {
    if let named { return URL(filePath: named, directoryHint: .isDirectory) }
    // The specification has relative paths ignored.
    let data = environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    let base =
      data.map { URL(filePath: $0, directoryHint: .isDirectory) }
      ?? FileManager.default.homeDirectoryForCurrentUser.appending(path: ".local/share")
    return base.appending(path: "lootlogger", directoryHint: .isDirectory)
  }
}
