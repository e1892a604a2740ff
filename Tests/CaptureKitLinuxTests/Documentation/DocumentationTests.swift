import CaptureKitLinux
import CaptureKitMocks
import Foundation
import Imaging
import Testing

@Suite(.timeLimit(.minutes(1)))
struct DocumentationTests {
  static let package = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// A picture as a door station would send it.
  static func picture() throws -> Data {
    let layout = try #require(PixelLayout(format: .grey, width: 640, height: 480))
    let pixels = try #require(
      PixelBuffer(layout: layout, bytes: [UInt8](repeating: 99, count: 640 * 480)))
    return try JPEGEncoder().encode(pixels)
  }

  @Test func takesAPhotoWithADoorbell() async throws {
    let picture = try Self.picture()
    let environment = CaptureEnvironment(
      backends: [Doorbells(doorbells: [Doorbell(name: "Gate") { picture }])])

    try await environment.run {
      let camera = try #require(
        CaptureDevice.default(.builtInWideAngleCamera, for: .video, position: .front))
      let session = CaptureSession()
      try session.add(try CaptureDeviceInput(device: camera))
      let photos = CapturePhotoOutput()
      try session.add(photos)
      try await session.start()

      let photo = try await photos.capturePhoto(with: CapturePhotoSettings())

      #expect(try photo.image.pixelWidth == 640)
      await session.stop()
    }
  }

  @Test func endsWhenADoorbellDoesNotAnswer() async throws {
    let environment = CaptureEnvironment(
      backends: [Doorbells(doorbells: [Doorbell(name: "Gate") { throw CaptureError(.timedOut) }])])
    let device = try #require(try await environment.devices().first)
    let session = CaptureSession()
    try session.add(try CaptureDeviceInput(device: device))
    let photos = CapturePhotoOutput()
    try session.add(photos)
    try await session.start()

    await #expect(throws: CaptureError.self) {
      try await photos.capturePhoto(with: CapturePhotoSettings())
    }
  }

  /// The article shows this code and no other.
  @Test func showsTheCodeThatIsTested() throws {
    let article = try String(
      contentsOf: Self.package.appending(
        path: "Sources/CaptureKitLinux/CaptureKitLinux.docc/writing-a-capture-backend.md"),
      encoding: .utf8)
    let code = try String(
      contentsOf: URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "Doorbells.swift"), encoding: .utf8)

    let blocks = article.components(separatedBy: "```swift\n").dropFirst()
      .compactMap { $0.components(separatedBy: "\n```").first }
    #expect(blocks.count == 6)
    for block in blocks.dropLast() {
      #expect(code.contains(block), "\(block)")
    }
  }

  /// The README's code is that of the snippets, which are compiled with the package.
  @Test(arguments: [
    "OnePhoto", "CameraThatDoesNotExist", "PicturesAndItems", "InventoryInADatabase", "Movies",
    "PickAPicture",
  ])
  func showsTheSnippetsInTheReadme(name: String) throws {
    let readme = try String(contentsOf: Self.package.appending(path: "README.md"), encoding: .utf8)
    let snippet = try String(
      contentsOf: Self.package.appending(path: "Snippets/\(name).swift"), encoding: .utf8)

    let code = try #require(snippet.components(separatedBy: "// snippet.show\n").last)

    #expect(readme.contains(code))
  }
}
