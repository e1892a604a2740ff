import CaptureKitLinux
import Foundation
import Glibc
import Imaging
import Testing

/// A camera that somebody else uses.
@Suite(.inLab(.single, .usb), .timeLimit(.minutes(1)))
struct BusyLabTests {
  @Test func namesTheProgramThatHasTheCamera() async throws {
    let studio = try LabStudio.ofThisLab()
    let rival = try await Rival(path: try #require(studio.device.nodePath))

    let error = await #expect(throws: CaptureError.self) { try await studio.session.start() }

    #expect(error?.code == .inUse)
    let sentence = error.map { "\($0)" } ?? ""
    #expect(sentence.contains("python3"), "\(sentence)")
    #expect(sentence.contains("\(rival.identifier)"), "\(sentence)")
    #expect(!studio.session.isRunning)

    try await rival.end()
    #expect(try await studio.onePhoto().fileDataRepresentation() != nil)
  }

  @Test func saysWhenThisProgramItselfHasIt() async throws {
    let first = try LabStudio.ofThisLab()
    try await first.session.start()

    let second = try LabStudio.ofThisLab()
    let error = await #expect(throws: CaptureError.self) { try await second.session.start() }

    #expect(error?.code == .inUse)
    #expect(try await first.photo().fileDataRepresentation() != nil)
    await first.session.stop()
    #expect(try await second.onePhoto().fileDataRepresentation() != nil)
  }
}

extension LabStudio {
  /// With a format that the constellation's camera has.
  static func ofThisLab() throws -> LabStudio {
    switch LabConstellation.current {
    case .single, .multiplanar: try LabStudio(.yuyv, wideSize)
    default: try LabStudio(.mjpeg, smallSize)
    }
  }
}

/// Another program that streams from a camera, with nothing but the kernel's calls.
final class Rival {
  private static let program = """
    import fcntl, os, struct, sys, time
    node = os.open(sys.argv[1], os.O_RDWR)
    def call(code, data): return fcntl.ioctl(node, code, data)
    call(0xc0145608, struct.pack('5I', 2, 1, 1, 0, 0))
    for index in range(2):
        call(0xc058560f, struct.pack('2I', index, 1).ljust(60, b'\\0')
             + struct.pack('I', 1).ljust(28, b'\\0'))
    call(0x40045612, struct.pack('i', 1))
    open(sys.argv[2], 'w').close()
    time.sleep(300)
    """
  private let process = Process()
  private let signal = "/tmp/rival-\(UUID().uuidString)"

  /// Starts it, and returns when it streams.
  init(path: String) async throws {
    process.executableURL = URL(filePath: "/usr/bin/python3")
    process.arguments = ["-I", "-S", "-c", Self.program, path, signal]
    try process.run()
    try await until("the rival streams") { [signal, process] in
      try #require(process.isRunning)
      return FileManager.default.fileExists(atPath: signal)
    }
  }

  deinit { kill(identifier, SIGKILL) }

  var identifier: Int32 { process.processIdentifier }

  func end() async throws {
    // A child of a dispatch thread has SIGTERM blocked.
    kill(identifier, SIGKILL)
    try await until("the rival has ended") { [process] in !process.isRunning }
  }
}
