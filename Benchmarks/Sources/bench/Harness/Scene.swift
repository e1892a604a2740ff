import CBaselines

/// A picture that nobody took, made the same every time: skies, edges, textures and the noise of a
/// sensor, about as hard to compress as a photograph.
struct Scene: Sendable {
  let width: Int
  let height: Int
  /// Red, green, blue, row by row.
  let rgb: [UInt8]

  init(width: Int = 1920, height: Int = 1080) {
    self.width = width
    self.height = height
    var pixels = [UInt8](repeating: 0, count: width * height * 3)
    var noise = Noise()
    let paint = Paint(width: width, height: height)
    for y in 0..<height {
      for x in 0..<width {
        let grain = noise.next() * 1.5
        let color = paint.color(x, y)
        let at = (y * width + x) * 3
        pixels[at] = Self.sample(color.x + grain)
        pixels[at + 1] = Self.sample(color.y + grain)
        pixels[at + 2] = Self.sample(color.z + grain)
      }
    }
    rgb = pixels
  }

  fileprivate static func sample(_ value: Float) -> UInt8 {
    UInt8(max(0, min(255, value.rounded())))
  }
}

// MARK: - What a camera makes of it

extension Scene {
  /// The full-range samples of each pair of pixels: luma of both, and their common chroma.
  private func forEachPair(
    _ body: (_ pair: Int, _ y0: Float, _ y1: Float, _ u: Float, _ v: Float) -> Void
  ) {
    for pair in 0..<width * height / 2 {
      let at = pair * 6
      let (r0, g0, b0) = (Float(rgb[at]), Float(rgb[at + 1]), Float(rgb[at + 2]))
      let (r1, g1, b1) = (Float(rgb[at + 3]), Float(rgb[at + 4]), Float(rgb[at + 5]))
      let (r, g, b) = ((r0 + r1) / 2, (g0 + g1) / 2, (b0 + b1) / 2)
      body(
        pair, Self.luma(r0, g0, b0), Self.luma(r1, g1, b1), (b - Self.luma(r, g, b)) / 1.772,
        (r - Self.luma(r, g, b)) / 1.402)
    }
  }

  private static func luma(_ r: Float, _ g: Float, _ b: Float) -> Float {
    0.299 * r + 0.587 * g + 0.114 * b
  }

  /// BT.601 in the limited range, as most webcams send it.
  func yuyv() -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: width * height * 2)
    forEachPair { pair, y0, y1, u, v in
      bytes[pair * 4] = Self.sample(16 + y0 * 219 / 255)
      bytes[pair * 4 + 1] = Self.sample(128 + u * 224 / 255)
      bytes[pair * 4 + 2] = Self.sample(16 + y1 * 219 / 255)
      bytes[pair * 4 + 3] = Self.sample(128 + v * 224 / 255)
    }
    return bytes
  }

  /// A 4:2:2 JPEG, and the same as webcams send it.
  func mjpeg(quality: Int = 80) throws -> CameraJPEG {
    let encoder = try PlainEncoder(width: width, height: height)
    return CameraJPEG(
      complete: Array(try encoder.encode(rgb: rgb, width: width, height: height, quality: quality)))
  }

  /// How near a JPEG comes to the scene, in dB; negative where it is no picture of this size.
  func psnr(of jpeg: some Collection<UInt8>) -> Double {
    let bytes = Array(jpeg)
    return cb_psnr(bytes, bytes.count, rgb, Int32(width), Int32(height))
  }
}

/// A frame of a camera that sends JPEG.
struct CameraJPEG: Sendable {
  /// `AVI1` in place of `JFIF`, and no Huffman tables.
  let frame: [UInt8]
  /// The segments that the frame lacks.
  let huffmanTables: [UInt8]

  init(complete jpeg: [UInt8]) {
    frame = JPEGSegments.asCameraFrame(jpeg)
    huffmanTables = JPEGSegments.huffmanTables(of: jpeg)
  }
}

/// 4:2:2 samples, each plane by itself.
struct Planes: Sendable {
  let width: Int
  let height: Int
  var y: [UInt8] = []
  var u: [UInt8] = []
  var v: [UInt8] = []

  /// Takes limited-range YUYV apart.
  ///
  /// - Parameters:
  ///   - yuyv: Rows without gaps.
  ///   - width: Pixels in a row.
  ///   - height: Rows.
  ///   - expanding: Whether samples become full-range ones, which is what JPEG means.
  init(yuyv: [UInt8], width: Int, height: Int, expanding: Bool) {
    self.width = width
    self.height = height
    for at in stride(from: 0, to: width * height * 2, by: 4) {
      y.append(Self.luma(yuyv[at], expanding))
      u.append(Self.chroma(yuyv[at + 1], expanding))
      y.append(Self.luma(yuyv[at + 2], expanding))
      v.append(Self.chroma(yuyv[at + 3], expanding))
    }
  }

  private static func luma(_ sample: UInt8, _ expanding: Bool) -> UInt8 {
    expanding ? Scene.sample((Float(sample) - 16) * 255 / 219) : sample
  }

  private static func chroma(_ sample: UInt8, _ expanding: Bool) -> UInt8 {
    expanding ? Scene.sample(128 + (Float(sample) - 128) * 255 / 224) : sample
  }
}
