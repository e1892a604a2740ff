import Foundation
import Testing

@testable import Imaging

/// How light a picture is, and of what colour.
@Suite(.timeLimit(.minutes(1)))
struct AverageColorTests {
  static let red = Scene(width: 160, height: 90) { _, _ in .init(red: 180, green: 60, blue: 40) }
  /// By JFIF's arithmetic.
  static let expected = (luma: 93.6, blue: -30.2, red: 61.6)

  static func expect(_ color: AverageColor?, isGrey: Bool = false) throws {
    let color = try #require(color)
    #expect(abs(color.luma - expected.luma) < 2, "\(color)")
    #expect(abs(color.blueDifference - (isGrey ? 0 : expected.blue)) < 2, "\(color)")
    #expect(abs(color.redDifference - (isGrey ? 0 : expected.red)) < 2, "\(color)")
  }

  @Test(arguments: Scene.rawFormats, ColorDescription.all)
  func isTheSameForAllFormats(format: PixelFormat, description: ColorDescription) throws {
    let color = try AverageColor(of: Self.red.pixels(format, description))
    guard format == .grey else { return try Self.expect(color) }
    let luma = try #require(color).luma
    let exact = Self.red.shown(0, 0, .grey, description).green
    #expect(abs(luma - exact) < 1, "\(luma)")
  }

  @Test func isTheSameForAJPEG() throws {
    let jpeg = try JPEGEncoder().encode(Self.red.pixels(.yuyv))
    let grey = try JPEGEncoder().encode(Self.red.pixels(.grey))

    try Self.expect(AverageColor(ofJPEG: jpeg.bytes))
    try Self.expect(AverageColor(ofJPEG: jpeg.asFromWebcam.bytes))
    try Self.expect(AverageColor(ofJPEG: grey.bytes), isGrey: true)
  }

  @Test func isUnknownForADamagedJPEG() throws {
    let jpeg = try JPEGEncoder().encode(Scene.gradient(width: 640, height: 480).pixels(.yuyv))

    #expect(Self.average(ofJPEG: jpeg.prefix(jpeg.count / 2)) == nil)
    #expect(Self.average(ofJPEG: Data("no picture".utf8)) == nil)
    #expect(Self.average(ofJPEG: Data()) == nil)
  }

  static func average(ofJPEG jpeg: Data) -> AverageColor? { AverageColor(ofJPEG: jpeg.bytes) }
}
