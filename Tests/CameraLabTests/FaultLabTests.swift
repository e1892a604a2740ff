import CaptureKitLinux
import Foundation
import Imaging
import Testing

/// A USB camera that sends rubbish: the photo is whole all the same, or it is known why not.
@Suite(.inLab(.usb, .nodrop), .timeLimit(.minutes(1)))
struct FaultLabTests {
  static let badFrames = 3
  let camera = LabCamera()

  @Test(arguments: ["truncate", "error", "empty", "corrupt"])
  func leavesBadFramesOut(fault: String) async throws {
    let photo = try await photo(after: fault, LabStudio())

    try expectWhole(photo)
    try expectNoBadFrame(photo)
  }

  @Test(arguments: ["truncate", "error", "wrongsize"])
  func leavesBadRawFramesOut(fault: String) async throws {
    let photo = try await photo(after: fault, LabStudio(.yuyv))

    try expectNoBadFrame(photo)
    #expect(try photo.image.size == PixelSize(width: 320, height: 240))
  }

  /// A photo of a camera whose first frames are bad.
  private func photo(after fault: String, _ studio: LabStudio) async throws -> CapturePhoto {
    try await camera.tell("\(fault) \(Self.badFrames)")
    let photo = try await studio.onePhoto()
    try await camera.tell("\(fault) 0")
    return photo
  }

  private func expectNoBadFrame(_ photo: CapturePhoto) throws {
    let number = try #require(try FrameNumber.read(photo))
    #expect(number >= Self.badFrames)
  }

  @Test func addsMissingHuffmanTables() async throws {
    try await camera.tell("nodht 1000")

    let photo = try await LabStudio().onePhoto()

    try await camera.tell("nodht 0")
    try expectWhole(photo)
    #expect(!photo.isReencoded)
  }

  @Test func leavesGarbageAfterTheEndOut() async throws {
    try await camera.tell("garbage 1000")

    let studio = try LabStudio()
    let photo = try await studio.onePhoto()

    try await camera.tell("garbage 0")
    try expectWhole(photo)
    let frame = try #require(studio.tap.frame(of: photo))
    #expect(try #require(photo.fileDataRepresentation()).count < frame.bytes.count)
  }

  @Test func endsByTheDeadlineWhereNoFrameIsWhole() async throws {
    try await camera.tell("truncate 1000")
    let studio = try LabStudio()
    try await studio.session.start()

    let settings = CapturePhotoSettings(timeout: .seconds(2))
    let error = await #expect(throws: CaptureError.self) {
      try await studio.photos.capturePhoto(with: settings)
    }

    await studio.session.stop()
    try await camera.tell("truncate 0")
    #expect(error?.code == .corruptFrame)
  }

  @Test func waitsForACameraThatPauses() async throws {
    let studio = try LabStudio()
    try await studio.session.start()
    await studio.tap.frames(2)
    try await camera.tell("stall 1.5")

    let photo = try await studio.photo()

    await studio.session.stop()
    try expectWhole(photo)
  }

  @Test func endsByTheDeadlineWhereNothingComes() async throws {
    let studio = try LabStudio()
    try await studio.session.start()
    await studio.tap.frames(2)
    try await camera.tell("stall 30")

    let requestedAt = ContinuousClock.now
    let error = await #expect(throws: CaptureError.self) {
      try await studio.photos.capturePhoto(with: CapturePhotoSettings(timeout: .seconds(1)))
    }

    #expect(error?.code == .timedOut)
    #expect(ContinuousClock.now - requestedAt < .seconds(5))
    await studio.session.stop()
  }

  private func expectWhole(_ photo: CapturePhoto) throws {
    let file = try #require(photo.fileDataRepresentation())
    let header = try JPEGHeader(parsing: file.bytes)
    #expect(header.width == 320 && header.height == 240)
    #expect(header.hasHuffmanTables)
    #expect(header.endOffset == file.count)
    #expect(try FrameNumber.read(photo) != nil)
  }
}
