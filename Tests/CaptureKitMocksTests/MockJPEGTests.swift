import CaptureKitLinux
import CaptureKitMocks
import Foundation
import Imaging
import Testing

@Suite(.timeLimit(.minutes(1)))
struct MockJPEGTests {
  private static let size = VideoDimensions(width: 320, height: 240)

  private func picture(_ frame: CapturedFrame?) throws -> PixelBuffer {
    try Image(Data(try unwrap(frame).copy)).pixelBuffer()
  }

  /// JPEG files of the pattern, made by a camera.
  private func pictures(_ count: Int, width: Int = 320, height: Int = 240) throws -> [Data] {
    let rig = try Rig(.mjpeg, width: width, height: height)
    try rig.start()
    return try rig.frames(count).map { Data(try unwrap($0).copy) }
  }

  @Test(arguments: [0.85, 0.9, 1.0], [false, true])
  func picturesShowTheBarsAndTheNumber(quality: Double, omitsHuffmanTables: Bool) throws {
    let rig = try Rig(
      frames: .testPattern(
        .mjpeg, width: 320, height: 240, framesPerSecond: 10, jpegQuality: quality,
        omitsHuffmanTables: omitsHuffmanTables))
    try rig.start()
    for number in 0..<3 {
      let frame = try unwrap(try rig.next())
      #expect(frame.pixelFormat == .mjpeg && frame.dimensions == Self.size)
      #expect(!frame.isDamaged && frame.pixelBuffer == nil)
      #expect(try JPEGHeader(parsing: frame.bytes).hasHuffmanTables == !omitsHuffmanTables)

      let picture = try picture(frame)
      #expect(TestPattern.frameNumber(in: picture) == number)
      let reader = Reader(picture)
      for bar in 0..<TestPattern.barCount {
        let place = TestPattern(width: 320, height: 240).center(ofBar: bar)
        let seen = try reader.color(x: place.x, y: place.y)
        #expect(
          seen.isWithin(2, of: TestPattern.color(ofBar: bar)), "bar \(bar): \(seen)")
      }
    }
  }

  @Test
  func narrowPicturesCarryTheirNumberToo() throws {
    let rig = try Rig(.mjpeg, width: 160, height: 120)
    try rig.start()
    #expect(try rig.frames(4).map { TestPattern.frameNumber(in: try picture($0)) } == [0, 1, 2, 3])
  }

  @Test
  func truncatedPicturesLackTheirEndAndAreNotMarked() throws {
    let rig = try Rig(.mjpeg, width: 320, height: 240, script: [.truncatedJPEG(at: 1)])
    try rig.start()
    let frames = try rig.frames(3).map { try unwrap($0) }
    #expect(frames.allSatisfy { !$0.isDamaged })
    #expect(frames.map { JPEGPassthrough.isWhole($0.bytes) } == [true, false, true])
    #expect(frames[1].copy.starts(with: [0xFF, 0xD8]))
    #expect(frames[1].copy.suffix(2) != [0xFF, 0xD9])
  }

  @Test
  func shortPicturesAreNotMarkedEither() throws {
    let rig = try Rig(.mjpeg, width: 320, height: 240, script: [.shortFrame(at: 0)])
    try rig.start()
    let frame = try unwrap(try rig.next())
    #expect(!frame.isDamaged && !JPEGPassthrough.isWhole(frame.bytes))
  }

  @Test
  func flaggedPicturesKeepTheirBytes() throws {
    let rig = try Rig(.mjpeg, width: 320, height: 240, script: [.errorFlag(at: 0)])
    try rig.start()
    let frame = try unwrap(try rig.next())
    #expect(frame.isDamaged)
    #expect(TestPattern.frameNumber(in: try picture(frame)) == 0)
  }

  @Test
  func blackPicturesAreBlackWhateverTheCameraShows() throws {
    for frames in [
      MockFrames.testPattern(.mjpeg, width: 320, height: 240, framesPerSecond: 10),
      .jpegData(try pictures(1), framesPerSecond: 10),
    ] {
      let rig = try Rig(script: [.blackFrames(first: 1)], frames: frames)
      try rig.start()
      let black = try picture(try rig.next())
      #expect(black.width == 320 && black.height == 240)
      #expect(
        try Reader(black).color(x: 20, y: 100) == RGBColor(red: 0, green: 0, blue: 0))
      #expect(TestPattern.frameNumber(in: try picture(try rig.next())) != nil)
    }
  }

  @Test
  func filesComeInTurnByteForByte() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let pictures = try pictures(3)
    let files = try pictures.enumerated().map { number, bytes in
      let file = folder.appending(path: "\(number).jpg")
      try bytes.write(to: file)
      return file
    }

    let rig = try Rig(frames: .jpegFiles(files, framesPerSecond: 10))
    try rig.start()

    #expect(rig.camera.formats.map(\.description) == ["MJPG 320x240 10 fps"])
    #expect(
      try rig.frames(5).map { Data(try unwrap($0).copy) }
        == [0, 1, 2, 0, 1].map { pictures[$0] })
  }

  @Test
  func picturesOfSeveralSizesMakeSeveralFormats() throws {
    let (large, small) = try (pictures(1), pictures(1, width: 160, height: 120))
    let rig = try Rig(frames: .jpegData(large + small, framesPerSecond: 10))
    #expect(
      rig.camera.formats.map(\.description) == ["MJPG 320x240 10 fps", "MJPG 160x120 10 fps"])
    try rig.stream.start(try unwrap(rig.camera.formats.last).request())
    #expect(try rig.frames(2).map { $0?.width } == [160, 160])
  }

  @Test
  func filesThatCannotBeReadAreSaidWhenTheCameraIsOpened() async throws {
    for frames in [
      MockFrames.jpegFiles([URL(filePath: "/nowhere/missing.jpg")]), .jpegData([Data()]),
      .jpegData([Data([0xFF, 0xD8, 0xFF, 0xDA])]), .jpegData([Data("no picture".utf8)]),
    ] {
      let camera = MockCamera(frames: frames)
      let backend = MockBackend(cameras: [camera])
      let device = try unwrap(await backend.devices().first)
      #expect(device.formats.isEmpty)
      #expect(throws: CaptureError.self) { try backend.open(device) }
    }
  }
}
