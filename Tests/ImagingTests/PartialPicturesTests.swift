import Foundation
import Testing

@testable import Imaging

@Suite(.timeLimit(.minutes(1)))
struct PartialPicturesTests {
  private func jpeg(_ format: PixelFormat = .nv12) throws -> Data {
    try JPEGEncoder(quality: 0.95).encode(Scene.gradient(width: 160, height: 128).pixels(format))
  }

  @Test func isTheWholePictureWhereNothingIsMissing() throws {
    let image = try Image(jpeg())
    let partial = try image.partialPixelBuffer()
    #expect(partial.isComplete && partial.wholeRowCount == 128)
    #expect(try partial.pixels.meanError(to: image.pixelBuffer()) == 0)
    // Once decoded, the pixels are shared.
    #expect(try image.partialPixelBuffer().isComplete)
    #expect(try Image(image.pixelBuffer()).partialPixelBuffer().isComplete)
  }

  @Test func isWholeWithoutAnEndMarkerToo() throws {
    let partial = try Image(jpeg().dropLast(2).copied).partialPixelBuffer()
    #expect(partial.isComplete)
  }

  @Test(arguments: [PixelFormat.nv12, .yuyv, .grey, .bgra32])
  func showsTheRowsThatCameAndGreyBelow(_ format: PixelFormat) throws {
    let data = try jpeg(format)
    let whole = try Image(data).pixelBuffer()
    let headers = try require(data.jpegSegments.last).range.upperBound
    let cut = data.prefix(headers + (data.count - headers) / 2).copied
    #expect(throws: ImagingError.self) { try Image(cut).pixelBuffer() }

    let partial = try Image(cut).partialPixelBuffer()

    #expect(!partial.isComplete)
    #expect((32...96).contains(partial.wholeRowCount))
    for y in 0..<partial.wholeRowCount {
      #expect([0, 80, 159].allSatisfy { partial.pixels.bgra($0, y) == whole.bgra($0, y) })
    }
    #expect(partial.pixels.bgra(80, 127) == [128, 128, 128, 255])
  }

  /// Where the decoder fails at once, it has seen no damage of a row.
  @Test func isNotWholeWhereItCannotBeDecoded() throws {
    try Programs.withFolder { folder in
      let pixels = try Scene.bars().pixels(.bgra32)
      try pixels.ppm().write(to: folder.appending(path: "in.ppm"))
      try Programs.run("cjpeg -arithmetic -outfile a.jpg in.ppm", in: folder)
      let data = try Data(contentsOf: folder.appending(path: "a.jpg"))
      let scan = data.count - data.jpegScans.count
      var failures = 0
      for place in scan - 20..<scan + 20 {
        var damaged = data
        damaged[place] = 0xFF
        guard let image = try? Image(damaged), let partial = try? image.partialPixelBuffer() else {
          continue
        }
        let isSound = (try? Image(damaged).pixelBuffer()) != nil
        failures += isSound ? 0 : 1
        #expect(partial.isComplete == isSound, "\(place - scan)")
      }
      #expect(failures > 0)
    }
  }

  @Test func showsLessDetailWhereScansAreMissing() throws {
    let data = StoredPictures.progressive
    let scans = data.indices.filter { data[$0] == 0xFF && data.dropFirst($0 + 1).first == 0xDA }
    let partial = try Image(data.prefix(scans[1]).copied).partialPixelBuffer()
    #expect(!partial.isComplete && partial.wholeRowCount == 0)
    // The first scan is the mean colour of each block.
    let whole = try Image(data).pixelBuffer()
    #expect(partial.pixels.meanError(to: whole) < 20)
  }

  @Test func readsOnBehindDamageThatARestartMarkerEnds() throws {
    var data = StoredPictures.withRestarts
    let scan = try require(data.jpegSegments.last).range.upperBound
    let whole = try Image(data).pixelBuffer()
    let first = try require(
      data.indices.dropFirst(scan).first { data[$0] == 0xFF && data[$0 + 1] == 0xD0 })
    data.removeSubrange(scan + 20..<first - 8)

    let partial = try Image(data).partialPixelBuffer()

    #expect(partial.wholeRowCount < 16)
    #expect(partial.pixels.bgra(80, 40) == whole.bgra(80, 40))
  }

  @Test func stillRefusesWhatIsNoPicture() throws {
    let data = try jpeg()
    #expect(throws: ImagingError.self) { try Image(data.prefix(200).copied).partialPixelBuffer() }
    var twelve = data
    let frame = try require(data.jpegSegments.first { $0.marker == 0xC0 }).range.lowerBound
    twelve[frame + 4] = 12
    let error = #expect(throws: ImagingError.self) { try Image(twelve).partialPixelBuffer() }
    #expect(error?.code == .unsupported)
  }
}
