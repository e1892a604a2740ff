import Foundation
import Testing

@testable import Imaging

/// Files of Pillow beside its own decoding of them, and our files as it reads them.
@Suite(.timeLimit(.minutes(1)))
struct PillowPicturesTests {
  private static let width = 67
  private static let height = 41

  /// Each file gets what Pillow decodes of it beside it, four bytes a pixel, blue first.
  private static let scene = """
    from PIL import Image
    rgb = Image.new("RGB", (67, 41))
    rgb.putdata([(x * 255 // 66, y * 255 // 40, (x * 3 + y * 5) % 256) for y in range(41) for x in range(67)])
    def keep(name, picture, **options):
        picture.save(name, **options)
        with Image.open(name) as read:
            open(name + ".bgra", "wb").write(read.convert("RGBA").tobytes("raw", "BGRA"))

    """

  @Test(
    arguments: [
      ("rgb.jpg", "rgb, quality=90", 1),
      ("progressive.jpg", "rgb, quality=90, progressive=True", 1),
      ("444.jpg", "rgb, quality=90, subsampling=0", 1),
      ("422.jpg", "rgb, quality=90, subsampling=1", 1), ("grey.jpg", "rgb.convert('L')", 0),
      ("cmyk.jpg", "rgb.convert('CMYK'), quality=95", 2),
      ("optimized.jpg", "rgb, optimize=True", 1), ("rgb.png", "rgb", 0),
      ("palette.png", "rgb.convert('P', palette=Image.ADAPTIVE, colors=200)", 0),
      ("transparent.png", "rgb.convert('P'), transparency=3", 0),
      ("grey.png", "rgb.convert('L')", 0),
      ("bilevel.png", "rgb.convert('1')", 0), ("alpha.png", "rgb.convert('LA')", 0),
    ])
  func showsWhatPillowShows(_ name: String, _ picture: String, _ tolerance: Int) throws {
    try Programs.withFolder { folder in
      let script = Self.scene + "keep('\(name)', \(picture))\n"
      try script.write(to: folder.appending(path: "make.py"), atomically: true, encoding: .utf8)
      try Programs.run("python3 make.py", in: folder)

      let ours = try Image(contentsOf: folder.appending(path: name)).pixelBuffer()
      let theirs = [UInt8](try Data(contentsOf: folder.appending(path: name + ".bgra")))

      let layout = try require(
        PixelLayout(format: .bgra, width: Self.width, height: Self.height))
      let expected = try require(PixelBuffer(layout: layout, bytes: theirs))
      #expect(ours.largestDifference(from: expected) <= tolerance)
    }
  }

  @Test(arguments: ImageOrientation.allCases)
  func isUnderstoodByPillow(_ orientation: ImageOrientation) throws {
    let pixels = try Scene.bars().pixels(.yuyv)
    let picture = Image(pixels, orientation: orientation)
    try Programs.withFolder { folder in
      try require(picture.jpegData(compressionQuality: 0.9)).write(
        to: folder.appending(path: "a.jpg"))
      try require(picture.pngData()).write(to: folder.appending(path: "a.png"))

      let said = try Programs.run(
        """
        python3 -c "
        from PIL import Image
        for name in 'a.jpg', 'a.png':
            with Image.open(name) as read:
                read.load()
                print(read.format, *read.size, read.getexif().get(0x112, 1))"
        """, in: folder)

      let facts = "\(pixels.width) \(pixels.height) \(orientation.rawValue)"
      #expect(said == "JPEG \(facts)\nPNG \(facts)\n")
    }
  }
}
