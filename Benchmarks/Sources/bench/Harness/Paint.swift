import Glibc

/// Normally distributed numbers, near enough, and the same ones every time.
struct Noise {
  private var state: UInt64 = 0x9E37_79B9_7F4A_7C15

  mutating func next() -> Float {
    var sum: Float = 0
    for _ in 0..<4 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      sum += Float(state >> 40) / Float(1 << 24) - 0.5
    }
    return sum * 1.732  // four uniform numbers have a variance of a third
  }
}

/// The scene without its noise: four quarters, each another kind of hard.
struct Paint {
  private let width: Int
  private let height: Int
  /// A table of random heights; smooth texture is what lies between its points.
  private let lattice: [Float]

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
    var noise = Noise()
    lattice = (0..<256 * 256).map { _ in noise.next() }
  }

  func color(_ x: Int, _ y: Int) -> SIMD3<Float> {
    let across = Float(x) / Float(width)
    let down = Float(y) / Float(height)
    switch (across < 0.5, down < 0.5) {
    case (true, true): return dunes(across * 2, down * 2, x, y)
    case (false, true): return leaves(x, y)
    case (true, false): return drops(x, y)
    case (false, false): return storm(across * 2 - 1, down * 2 - 1, x, y)
    }
  }

  // MARK: - The quarters

  /// A sky that brightens towards a curved, hard horizon, and rippled sand below it.
  private func dunes(_ across: Float, _ down: Float, _ x: Int, _ y: Int) -> SIMD3<Float> {
    let horizon = 0.45 + 0.1 * sin(across * 5) + 0.04 * sin(across * 17)
    if down < horizon { return [90, 140, 210] + SIMD3(repeating: 80 * down) }
    let ripple = sin(Float(y) * 0.35 + 6 * texture(x, y, size: 90)) * 14
    return [206, 158, 104] + SIMD3(repeating: ripple + 16 * texture(x, y, size: 5))
  }

  /// Green in many sizes, with veins.
  private func leaves(_ x: Int, _ y: Int) -> SIMD3<Float> {
    let shape = texture(x, y, size: 140)
    let vein = abs(sin(Float(x + y) * 0.045 + 3 * shape)) < 0.06 ? Float(45) : 0
    let grain = 20 * texture(x, y, size: 17) + 13 * texture(x, y, size: 4)
    return [70 + 40 * shape, 130 + 35 * shape, 48] + SIMD3(repeating: vein + grain)
  }

  /// Round highlights with sharp rims on a blurred ground.
  private func drops(_ x: Int, _ y: Int) -> SIMD3<Float> {
    let ground = SIMD3<Float>(96, 92, 120) + SIMD3(repeating: 38 * texture(x, y, size: 200))
    let pitch: Float = 74
    let dx = (Float(x) / pitch - (Float(x) / pitch).rounded()) * pitch
    let dy = (Float(y) / pitch - (Float(y) / pitch).rounded()) * pitch
    let distance = (dx * dx + dy * dy).squareRoot()
    let radius = 22 + 10 * lattice[(y / 74 * 31 + x / 74) & 0xFFFF]
    guard distance < radius else { return ground + SIMD3(repeating: 7 * texture(x, y, size: 6)) }
    return ground + SIMD3(repeating: 70 - 2.4 * (dx + dy) * 0.7) + [8, 20, 30]
  }

  /// Dark clouds, and small bright edges like windows below them.
  private func storm(_ across: Float, _ down: Float, _ x: Int, _ y: Int) -> SIMD3<Float> {
    let cloud =
      34 * texture(x, y, size: 120) + 16 * texture(x, y, size: 37)
      + 8 * texture(x, y, size: 9)
    if down < 0.6 { return [92, 98, 112] + SIMD3(repeating: cloud) }
    let lit = x % 23 < 9 && y % 31 < 15 && lattice[(x / 23 * 57 + y / 31) & 0xFFFF] > 0.1
    return lit ? [232, 206, 140] : [52, 50, 56] + SIMD3(repeating: cloud * 0.4)
  }

  // MARK: - Texture

  /// Random heights at points `size` pixels apart, joined smoothly; about -1…1.
  private func texture(_ x: Int, _ y: Int, size: Int) -> Float {
    let (column, row) = (x / size, y / size)
    let right = Self.smooth(Float(x % size) / Float(size))
    let below = Self.smooth(Float(y % size) / Float(size))
    let top = height(column, row) * (1 - right) + height(column + 1, row) * right
    let bottom = height(column, row + 1) * (1 - right) + height(column + 1, row + 1) * right
    return top * (1 - below) + bottom * below
  }

  private func height(_ column: Int, _ row: Int) -> Float {
    lattice[(row & 255) * 256 + (column & 255)]
  }

  private static func smooth(_ part: Float) -> Float { part * part * (3 - 2 * part) }
}
