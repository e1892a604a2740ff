public import CaptureKitLinux

/// Which camera a command line asks for.
public struct CameraWish {
  /// The options that belong to it.
  public static let flags: Set<String> = ["--simulated", "--require-camera"]
  /// The options with a value that belong to it.
  public static let valued: Set<String> = ["--camera"]

  private let name: String?
  private let isSimulated: Bool
  private let isRequired: Bool

  /// Reads the wish from a command line.
  ///
  /// - Throws: A ``Failure`` with the status `usage`.
  public init(_ options: Options) throws {
    name = options.text("--camera")
    isSimulated = options.has("--simulated")
    isRequired = options.has("--require-camera")
    if isSimulated, isRequired {
      throw Failure(.usage, "--simulated and --require-camera exclude each other: drop one.")
    }
  }

  /// Lists the cameras that the command line speaks of.
  ///
  /// - Throws: A ``Failure``, `unavailable`, where a camera is required and there is none.
  public func cameras() async throws -> [CaptureDevice] {
    if isSimulated { CaptureEnvironment.default = .simulated() }
    let cameras = try await CaptureEnvironment.current.devices()
    if cameras.isEmpty, isRequired {
      throw Failure(.unavailable, "There is no camera: plug one in, or use --simulated.")
    }
    return cameras
  }

  /// Finds the camera: the one that is named, else the first, else the simulated one.
  ///
  /// - Throws: A ``Failure`` or a `CaptureError`, where the camera is not there.
  public func camera() async throws -> CaptureDevice {
    let cameras = try await cameras()
    if let name {
      return try cameras.first { $0.uniqueID == name } ?? CaptureDevice(path: name)
    }
    if let camera = cameras.first(where: { $0.authorization == .authorized }) ?? cameras.first {
      return camera
    }
    say("There is no camera: the simulated one is used.")
    CaptureEnvironment.default = .simulated()
    guard let camera = try await CaptureEnvironment.current.devices().first else {
      throw Failure(.software, "The simulated camera is missing.")
    }
    return camera
  }
}
