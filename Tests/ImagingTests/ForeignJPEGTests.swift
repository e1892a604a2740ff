import Foundation
import Testing

@testable import Imaging

/// Pictures that other programs made, compared with what other programs see in them.
@Suite(.timeLimit(.minutes(1)))
struct ForeignJPEGTests {
  /// Smooth parts, edges and noise.
  private static func scene(_ width: Int, _ height: Int) -> Scene {
    Scene(width: width, height: height) { x, y in
      let noise = Double((x &* 73 ^ y &* 151) & 31)
      let isInside = x > width / 3 && y > height / 4
      return Color(
        red: isInside ? 200 : 30 + noise, green: Double(x * 200 / width) + noise,
        blue: Double(y * 200 / height) + (isInside ? 0 : noise))
    }
  }

  private typealias Color = Scene.Color

  private static let kinds = [
    "-sample 1x1", "-sample 2x1", "-sample 2x2", "-sample 4x1", "-sample 1x2", "-sample 1x4",
    "-sample 4x2", "-sample 2x4", "-sample 2x2,1x2,2x1", "-sample 1x1,2x2,1x1", "-grayscale",
    "-grayscale -sample 2x2", "-progressive", "-progressive -sample 1x1", "-arithmetic",
    "-arithmetic -progressive", "-restart 1", "-restart 3B", "-rgb", "-optimize", "-quality 1",
    "-quality 100", "-grayscale -progressive", "-progressive -restart 1 -sample 2x1",
  ]

  @Test func seesWhatDjpegSees() throws {
    try Programs.withFolder { folder in
      try Self.scene(67, 45).pixels(.bgra32).ppm().write(to: folder.appending(path: "in.ppm"))
      let script = Self.kinds.enumerated().map { index, kind in
        "cjpeg \(kind) -outfile \(index).jpg in.ppm; djpeg -outfile \(index).ppm \(index).jpg"
      }
      try Programs.run(script.joined(separator: "\n"), in: folder)
      for (index, kind) in Self.kinds.enumerated() {
        let data = try Data(contentsOf: folder.appending(path: "\(index).jpg"))
        let expected = try PixelBuffer(
          ppm: Data(contentsOf: folder.appending(path: "\(index).ppm")))
        let pixels = try Image(data).pixelBuffer()
        #expect(pixels.largestDifference(from: expected) == 0, "\(kind)")
        let junk = Data([0x00, 0xFF, 0x12]) + data + Data(repeating: 0xFF, count: 99)
        #expect(
          try Image(junk).pixelBuffer().largestDifference(from: expected) == 0, "\(kind)")
        let end = Data(data.dropLast(2))
        #expect(try Image(end).pixelBuffer().largestDifference(from: expected) == 0, "\(kind)")
      }
    }
  }

  @Test func seesAFlatPictureOfAFewBytes() throws {
    try Programs.withFolder { folder in
      let size = PixelSize(width: 4000, height: 3000)
      let grey = Data("P5 4000 3000 255\n".utf8) + Data(repeating: 90, count: size.pixelCount)
      try grey.write(to: folder.appending(path: "in.pgm"))
      try Programs.run("cjpeg -arithmetic -outfile a.jpg in.pgm", in: folder)
      let data = try Data(contentsOf: folder.appending(path: "a.jpg"))
      #expect(data.count < 1000)
      #expect(try Image(data).pixelBuffer().bgra(3999, 2999) == [90, 90, 90, 255])
      let small = try Image.thumbnail(
        contentsOf: folder.appending(path: "a.jpg"), maxPixelSize: 40)
      #expect(try small.pixelBuffer().bgra(39, 29) == [90, 90, 90, 255])
    }
  }

  @Test func seesWhatDjpegSeesWithoutHuffmanTables() throws {
    try Programs.withFolder { folder in
      try Self.scene(67, 45).pixels(.bgra32).ppm().write(to: folder.appending(path: "in.ppm"))
      try Programs.run(
        "cjpeg -sample 2x1 -outfile in.jpg in.ppm; djpeg -outfile out.ppm in.jpg", in: folder)
      let data = try Data(contentsOf: folder.appending(path: "in.jpg"))
      let expected = try PixelBuffer(ppm: Data(contentsOf: folder.appending(path: "out.ppm")))
      let webcam = data.asFromWebcam
      #expect(try !webcam.jpegHeader().hasHuffmanTables)
      #expect(try Image(webcam).pixelBuffer().largestDifference(from: expected) == 0)
      // Turned, it has tables that any program reads.
      let turned = try JPEGTransform.oriented(webcam, by: .upMirrored, oddEdges: .reencode())
      #expect(try turned.data.jpegHeader().hasHuffmanTables)
    }
  }

  /// jpegtran's names for what makes an orientation upright.
  private static let operations: [(ImageOrientation, String)] = [
    (.upMirrored, "-flip horizontal"), (.down, "-rotate 180"), (.downMirrored, "-flip vertical"),
    (.leftMirrored, "-transpose"), (.right, "-rotate 90"), (.rightMirrored, "-transverse"),
    (.left, "-rotate 270"),
  ]

  @Test(
    arguments: [
      "-sample 1x1", "-sample 2x1", "-sample 2x2", "-sample 4x1", "-sample 1x2", "-grayscale",
      "-progressive", "-restart 1", "-arithmetic", "-rgb", "-sample 2x2,1x2,2x1",
    ])
  func movesBlocksAsJpegtranDoes(_ kind: String) throws {
    try Programs.withFolder { folder in
      try Self.scene(96, 64).pixels(.bgra32).ppm().write(to: folder.appending(path: "in.ppm"))
      try Programs.run("cjpeg \(kind) -outfile in.jpg in.ppm", in: folder)
      let data = try Data(contentsOf: folder.appending(path: "in.jpg"))
      var script: [String] = []
      for (orientation, operation) in Self.operations {
        let name = "\(orientation)"
        let ours = try JPEGTransform.oriented(data, by: orientation, oddEdges: .fail)
        #expect(ours.outcome == .lossless)
        try ours.data.write(to: folder.appending(path: "\(name).jpg"))
        script += [
          "jpegtran -perfect -copy none \(operation) -outfile a in.jpg",
          "jpegtran -copy none -outfile b \(name).jpg", "cmp a b",
        ]
      }
      for (rect, name) in [
        (PixelRect(x: 32, y: 16, width: 33, height: 21), "33x21+32+16"),
        (PixelRect(x: 0, y: 32, width: 96, height: 32), "96x32+0+32"),
        (PixelRect(x: 64, y: 0, width: 1, height: 1), "1x1+64+0"),
      ] {
        let ours = try require(Image(data).cropped(to: rect, oddEdges: .fail).encodedData)
        try ours.write(to: folder.appending(path: "\(name).jpg"))
        script += [
          "jpegtran -copy none -crop \(name) -outfile a in.jpg",
          "jpegtran -copy none -outfile b \(name).jpg", "cmp a b",
        ]
      }
      // The coefficients are the same one by one: written by one program they are the same bytes.
      try Programs.run(script.joined(separator: "\n"), in: folder)
      let isProgressive = try JPEGTransform.oriented(data, by: .right).data.jpegHeader()
        .isProgressive
      #expect(isProgressive == (kind == "-progressive"))
    }
  }

  @Test func seesTheColoursOfInksThatImageMagickSees() throws {
    try Programs.withFolder { folder in
      try Self.scene(48, 32).pixels(.bgra32).ppm().write(to: folder.appending(path: "in.ppm"))
      try Programs.run(
        """
        convert in.ppm -colorspace CMYK -quality 98 -sampling-factor 1x1 cmyk.jpg
        convert cmyk.jpg -colorspace sRGB -depth 8 cmyk.ppm
        """, in: folder)
      let data = try Data(contentsOf: folder.appending(path: "cmyk.jpg"))
      let expected = try PixelBuffer(ppm: Data(contentsOf: folder.appending(path: "cmyk.ppm")))
      #expect(try data.jpegHeader().componentCount == 4)
      let pixels = try Image(data).pixelBuffer()
      #expect(pixels.largestDifference(from: expected) <= 2)
      let turned = try JPEGTransform.oriented(data, by: .right, oddEdges: .fail)
      let upright = try LibYUVBridge.oriented(pixels, by: .right)
      #expect(try Image(turned.data).pixelBuffer().meanError(to: upright) < 1)
    }
  }

  @Test func saysInExifWhatExiftoolReads() throws {
    try Programs.withFolder { folder in
      var metadata = ImageMetadata()
      metadata.orientation = .right
      metadata.make = "Maker"
      let jpeg = try JPEGEncoder().encode(
        Scene.gradient(width: 640, height: 480).pixels(.nv12), metadata: metadata)
      let small = try JPEGThumbnailTests.thumbnail(of: jpeg, 160, 120)
      try JPEGThumbnailTests.changing(jpeg, .merging(metadata), .replacing(small))
        .write(to: folder.appending(path: "in.jpg"))
      try Programs.run(
        "exiftool -q -overwrite_original -XMP-tiff:Orientation#=6 -Artist=Me in.jpg", in: folder)
      let image = try Image(contentsOf: folder.appending(path: "in.jpg"))
      let part = PixelRect(x: 16, y: 32, width: 200, height: 100)
      for (name, edited, expected) in [
        ("turned", try image.bakingOrientation(oddEdges: .fail), "480|640|1|1"),
        ("cropped", try image.cropped(to: part, oddEdges: .reencode()), "100|200|6|6"),
        ("tagged", try image.rotated(by: .half, oddEdges: .fail), "480|640|1|1"),
      ] {
        try require(edited.encodedData).write(to: folder.appending(path: "\(name).jpg"))
        let text = try Programs.run(
          """
          exiftool -n -q -p '$ExifImageWidth|$ExifImageHeight|$IFD0:Orientation|$XMP:Orientation' \
          \(name).jpg
          exiftool -n -q -p '$Make|$Artist' \(name).jpg
          exiftool -b -ThumbnailImage \(name).jpg > \(name)-small.jpg
          djpeg \(name)-small.jpg > \(name)-small.ppm
          exiftool -validate -warning -a \(name).jpg
          """, in: folder)
        let lines = text.split(separator: "\n").map(String.init)
        #expect(lines.first == expected, "\(name)")
        #expect(lines.dropFirst().first == "Maker|Me", "\(name)")
        let thumbnail = try PixelBuffer(
          ppm: Data(contentsOf: folder.appending(path: "\(name)-small.ppm")))
        let stored = try edited.pixelBuffer()
        #expect((thumbnail.width > thumbnail.height) == (stored.width > stored.height), "\(name)")
        let scaled = try require(stored.fitted(into: thumbnail.size))
        #expect(scaled.meanError(to: thumbnail) < 6, "\(name)")
      }
    }
  }

  /// Such a picture has neither JFIF's segment nor Adobe's: its colours are known by their names
  /// alone.
  @Test func keepsColoursThatAreKnownByName() throws {
    try Programs.withFolder { folder in
      let pixels = try Scene.bars().pixels(.bgra32)
      try pixels.ppm().write(to: folder.appending(path: "in.ppm"))
      try Programs.run("cjpeg -rgb -quality 95 -outfile rgb.jpg in.ppm", in: folder)
      let image = try Image(contentsOf: folder.appending(path: "rgb.jpg"))

      let stripped = try image.strippingAllMetadata()

      #expect(try stripped.pixelBuffer().meanError(to: image.pixelBuffer()) == 0)
      #expect(try image.pixelBuffer().meanError(to: pixels) < 3)
    }
  }
}
