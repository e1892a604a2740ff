import Foundation

/// The camera `/dev/fakevideo`, which exists in the programs that preload its library.
struct FakeDevice {
  static let path = "/dev/fakevideo"

  /// What the camera sends, at what rate (0: always ready).
  struct Frames {
    let fourCharacterCode: String
    let width: Int
    let height: Int
    let bytes: [UInt8]
    let rate: Int
  }

  let folder: ScratchFolder
  /// For the programs that are to see the camera.
  let environment: [String]

  /// Compiles the library, or takes the one that `BENCH_FAKE_DEVICE_SO` names.
  init(sending frames: Frames) throws {
    folder = try ScratchFolder()
    let library =
      try ProcessInfo.processInfo.environment["BENCH_FAKE_DEVICE_SO"] ?? Self.compile(into: folder)
    environment = [
      "FV_W=\(frames.width)", "FV_H=\(frames.height)", "FV_FMT=\(frames.fourCharacterCode)",
      "FV_FPS=\(frames.rate)", "FV_FILE=\(try folder.write(frames.bytes, to: "frame"))",
      "LD_PRELOAD=\(library)",
    ]
  }

  private static func compile(into folder: ScratchFolder) throws -> String {
    let source = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../FakeDevice/fake-device.c").standardized.path
    let compiler = try Program.installed("cc", packages: "gcc libc6-dev")
    let library = folder.path("fake-device.so")
    _ = try Program.output(of: [compiler, "-O2", "-shared", "-fPIC", "-o", library, source])
    return library
  }
}
