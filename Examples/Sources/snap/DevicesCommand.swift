import CaptureKitLinux
import ExampleSupport
import Foundation

/// `snap devices`: lists the cameras.
enum DevicesCommand {
  static let help = """
    Usage: snap devices [--json] [--simulated] [--require-camera]

    Lists the cameras: id, node and name, one a line.

      --json             as a JSON array of objects
      --simulated        the simulated camera instead of real ones
      --require-camera   fails where there is no camera
    """

  /// What JSON says of a camera.
  private struct Camera: Encodable {
    let id: String
    let name: String
    let manufacturer: String
    let model: String
    let type: String
    let position: String
    let mountingAngle: Int
    let node: String?
    let driver: String?
    let isAuthorized: Bool

    init(_ device: CaptureDevice) {
      id = device.uniqueID
      name = device.localizedName
      manufacturer = device.manufacturer
      model = device.modelID
      type = device.deviceType.rawValue
      position = "\(device.position)"
      mountingAngle = device.mountingAngle
      node = device.nodePath
      driver = device.driver
      isAuthorized = device.authorization == .authorized
    }
  }

  static func run(_ arguments: [String]) async throws {
    let options = try Options(arguments, flags: CameraWish.flags.union(["--json"]))
    if options.wantsHelp { return print(help) }
    try options.requireOperands(0)
    let devices = try await CameraWish(options).cameras()
    if options.has("--json") {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      print(String(decoding: try encoder.encode(devices.map(Camera.init)), as: UTF8.self))
      return
    }
    if devices.isEmpty { say("There is no camera: plug one in, or try --simulated.") }
    for device in devices {
      let note = device.authorization == .authorized ? "" : "  (may not be opened)"
      print("\(device.uniqueID)  \(device.nodePath ?? "-")  \(device.localizedName)\(note)")
    }
  }
}
