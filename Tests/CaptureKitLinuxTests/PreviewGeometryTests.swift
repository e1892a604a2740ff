import Foundation
import Imaging
import Synchronization
import Testing

@testable import CaptureKitLinux

@Suite(.timeLimit(.minutes(1)))
struct PreviewGeometryTests {
  private static let shapes: [(VideoDimensions, CGRect)] = [
    (VideoDimensions(width: 1920, height: 1080), CGRect(x: 0, y: 0, width: 640, height: 960)),
    (VideoDimensions(width: 640, height: 480), CGRect(x: 10, y: -20, width: 800, height: 450)),
    (VideoDimensions(width: 33, height: 77), CGRect(x: 5, y: 5, width: 31, height: 29)),
    (VideoDimensions(width: 400, height: 400), CGRect(x: 0, y: 0, width: 400, height: 400)),
  ]

  /// Every gravity, angle and mirror, on every shape.
  private static func forAll(_ body: (PreviewGeometry) throws -> Void) rethrows {
    for (size, bounds) in shapes {
      for gravity in LayerVideoGravity.allCases {
        for angle in [0, 90, 180, 270] {
          for isMirrored in [false, true] {
            try body(
              PreviewGeometry(
                imageSize: size, bounds: bounds, videoGravity: gravity, clockwiseAngle: angle,
                isMirrored: isMirrored))
          }
        }
      }
    }
  }

  private static func isClose(_ a: CGPoint, _ b: CGPoint, _ distance: Double = 1e-9) -> Bool {
    abs(a.x - b.x) <= distance && abs(a.y - b.y) <= distance
  }

  /// Whether one rectangle encloses another, up to rounding.
  private static func reaches(_ outer: CGRect, _ inner: CGRect) -> Bool {
    outer.minX <= inner.minX + 1e-6 && outer.maxX >= inner.maxX - 1e-6
      && outer.minY <= inner.minY + 1e-6 && outer.maxY >= inner.maxY - 1e-6
  }

  // MARK: Pixels that are not square

  @Test func keepsThePicturesShapeAsItIsSeen() {
    let image = VideoDimensions(width: 160, height: 90)
    let bounds = CGRect(x: 0, y: 0, width: 80, height: 48)
    func rect(_ ratio: Double, _ gravity: LayerVideoGravity, _ angle: Int = 0) -> CGRect {
      PreviewGeometry(
        imageSize: image, bounds: bounds, videoGravity: gravity, clockwiseAngle: angle,
        pixelAspectRatio: ratio
      ).videoRect
    }
    #expect(rect(1, .resizeAspect) == CGRect(x: 0, y: 1.5, width: 80, height: 45))
    // Narrow pixels: 80 of them are seen as wide as 64 are high.
    #expect(rect(0.8, .resizeAspect) == CGRect(x: 0, y: 6, width: 80, height: 36))
    #expect(rect(0.8, .resizeAspect, 90).height == 48)
    #expect(abs(rect(0.8, .resizeAspect, 90).width - 33.75) < 1e-9)
    #expect(rect(2, .resizeAspectFill) == CGRect(x: 0, y: -21, width: 80, height: 90))
    #expect(rect(0.8, .resize) == bounds)
    for wrong in [0, -1, .nan, .infinity] {
      #expect(rect(wrong, .resizeAspect) == rect(1, .resizeAspect))
    }
  }

  // MARK: Points and rectangles

  @Test func convertsPointsThereAndBack() {
    Self.forAll { geometry in
      for x in [-0.3, 0, 0.1, 0.5, 0.77, 1, 2] {
        for y in [-1, 0, 0.25, 0.5, 1, 1.5] {
          let point = CGPoint(x: x, y: y)
          let seen = geometry.layerPoint(fromCaptureDevicePoint: point)
          #expect(
            Self.isClose(geometry.captureDevicePoint(fromLayerPoint: seen), point), "\(geometry)")
        }
      }
    }
  }

  @Test func convertsRectanglesThereAndBack() {
    Self.forAll { geometry in
      let rect = CGRect(x: 0.1, y: 0.3, width: 0.5, height: 0.2)
      let seen = geometry.layerRect(fromMetadataOutputRect: rect)
      let back = geometry.metadataOutputRect(fromLayerRect: seen)
      #expect(seen.width > 0 && seen.height > 0)
      #expect(
        Self.isClose(back.origin, rect.origin)
          && Self.isClose(
            CGPoint(x: back.maxX, y: back.maxY), CGPoint(x: rect.maxX, y: rect.maxY))
      )
    }
  }

  @Test func showsTheWholePictureInItsOwnRectangle() {
    Self.forAll { geometry in
      let whole = CGRect(x: 0, y: 0, width: 1, height: 1)
      let seen = geometry.layerRect(fromMetadataOutputRect: whole)
      let rect = geometry.videoRect
      #expect(Self.isClose(seen.origin, rect.origin, 1e-6))
      #expect(abs(seen.width - rect.width) < 1e-6 && abs(seen.height - rect.height) < 1e-6)
      let (bounds, swaps) = (geometry.bounds, geometry.clockwiseAngle % 180 != 0)
      switch geometry.videoGravity {
      case .resize: #expect(rect == bounds)
      case .resizeAspect: #expect(Self.reaches(bounds, rect))
      case .resizeAspectFill: #expect(Self.reaches(rect, bounds))
      }
      guard geometry.videoGravity != .resize else { return }
      let size = geometry.imageSize
      let aspect = Double(size.width) / Double(size.height)
      #expect(abs(rect.width / rect.height - (swaps ? 1 / aspect : aspect)) < 1e-9)
      #expect(abs(rect.midX - bounds.midX) < 1e-6 && abs(rect.midY - bounds.midY) < 1e-6)
    }
  }

  /// Where the upper left corner of the camera's picture is seen, and where its lower left one.
  @Test(
    arguments: [
      (0, false, (0.0, 0.0), (0.0, 1.0)), (0, true, (1, 0), (1, 1)),
      (90, false, (1, 0), (0, 0)), (90, true, (0, 0), (1, 0)),
      (180, false, (1, 1), (1, 0)), (180, true, (0, 1), (0, 0)),
      (270, false, (0, 1), (1, 1)), (270, true, (1, 1), (0, 1)),
    ])
  func turnsCorners(
    angle: Int, isMirrored: Bool, upperLeft: (Double, Double), lowerLeft: (Double, Double)
  ) {
    let geometry = PreviewGeometry(
      imageSize: VideoDimensions(width: 100, height: 50),
      bounds: CGRect(x: 0, y: 0, width: 1, height: 1), videoGravity: .resize,
      clockwiseAngle: angle, isMirrored: isMirrored)
    let corners = [(CGPoint(x: 0, y: 0), upperLeft), (CGPoint(x: 0, y: 1), lowerLeft)]
    for (corner, seen) in corners {
      #expect(
        Self.isClose(
          geometry.layerPoint(fromCaptureDevicePoint: corner), CGPoint(x: seen.0, y: seen.1)))
    }
  }

  @Test func saysNothingOfAnEmptyLayer() {
    for bounds in [CGRect.zero, CGRect(x: 5, y: 5, width: 10, height: 0)] {
      let geometry = PreviewGeometry(
        imageSize: VideoDimensions(width: 10, height: 10), bounds: bounds)
      #expect(geometry.captureDevicePoint(fromLayerPoint: CGPoint(x: 3, y: 3)) == .zero)
      #expect(geometry.videoRect.isEmpty)
    }
  }

  @Test(arguments: [(-90, 270), (450, 90), (91, 90), (-1, 0), (359, 0), (720, 0)])
  func takesTheNearestQuarterTurn(angle: Int, expected: Int) {
    let geometry = PreviewGeometry(
      imageSize: VideoDimensions(width: 4, height: 3),
      bounds: CGRect(x: 0, y: 0, width: 4, height: 3), clockwiseAngle: angle)
    #expect(geometry.clockwiseAngle == expected)
  }

  // MARK: What is really drawn

  /// A grey frame with one bright spot of 8 × 8 pixels.
  private static func frame(_ size: VideoDimensions, spot: (x: Int, y: Int)) throws -> CapturedFrame
  {
    let layout = try #require(
      PixelLayout(format: .grey, width: size.width, height: size.height))
    var bytes = [UInt8](repeating: 20, count: size.width * size.height)
    for y in spot.y..<spot.y + 8 {
      for x in spot.x..<spot.x + 8 { bytes[y * size.width + x] = 240 }
    }
    return CapturedFrame(
      bytes: bytes, layout: layout, sequence: 0, timestamp: FrameTimestamp(.now, .startOfExposure))
  }

  @Test(arguments: LayerVideoGravity.allCases, [0, 90, 180, 270])
  func findsTheMarkWhereItIsDrawn(gravity: LayerVideoGravity, angle: Int) throws {
    let size = VideoDimensions(width: 96, height: 64)
    for isMirrored in [false, true] {
      let turn = UprightTurn(
        position: .unspecified, mountingAngle: angle, orientation: .portrait,
        isMirrored: isMirrored)
      for spot in [(x: 40, y: 28), (x: 26, y: 18), (x: 60, y: 40), (x: 30, y: 40)] {
        let renderer = PreviewRenderer()
        renderer.look.withLock { $0.videoGravity = gravity }
        let frame = try Self.frame(size, spot: spot)
        for canvas in [PixelSize(width: 90, height: 90), PixelSize(width: 61, height: 77)] {
          let image = try #require(
            try renderer.image(of: frame, number: 1, turn: turn, size: canvas))
          let center = image.geometry.layerPoint(
            fromCaptureDevicePoint: CGPoint(
              x: Double(spot.x + 4) / 96, y: Double(spot.y + 4) / 64))
          guard image.geometry.bounds.insetBy(dx: 2, dy: 2).contains(center) else { continue }
          #expect(image.brightness(at: center) > 200, "\(canvas) \(isMirrored) \(spot)")
          let edge = image.geometry.layerRect(
            fromMetadataOutputRect: CGRect(
              x: Double(spot.x) / 96, y: Double(spot.y) / 64, width: 8.0 / 96, height: 8.0 / 64))
          let beside = CGPoint(x: edge.maxX + 2, y: edge.midY)
          #expect(image.brightness(at: beside) < 60, "\(canvas) \(isMirrored) \(spot)")
        }
      }
    }
  }
}

extension PreviewImage {
  /// The green of the pixel that a point lies on.
  fileprivate func brightness(at point: CGPoint) -> UInt8 {
    let bytes = pixels.bytes(ofPlane: 0)
    let place = (Int(point.y) * width + Int(point.x)) * 4 + 1
    guard (0..<bytes.byteCount).contains(place) else { return 0 }
    return bytes.unsafeLoad(fromByteOffset: place, as: UInt8.self)
  }
}
