import AVFoundationCompat
import CaptureKitMocks
import Testing

extension PortedCodeTests {
  struct BarcodeScannerTests {
    private final class Finds: BarcodeScannerDelegate {
      private let lock = NSLock()
      private var found: [(code: String, time: CMTime)] = []

      var all: [(code: String, time: CMTime)] { lock.withLock { found } }

      func barcodeScanner(_ scanner: BarcodeScanner, didFind code: String, at time: CMTime) {
        lock.withLock { found.append((code, time)) }
      }
    }

    /// A label, 4 pixels a module, on paper; as NV12 in rows that are longer than their pixels.
    private static func label(_ code: String) -> MockFrames {
      let (width, height, bytesPerRow) = (320, 240, 384)
      let modules = EAN8.modules(of: code)
      var format = [CaptureDevice.Format(.nv12, dimensions: .init(width: width, height: height))]
      if let duration = FrameDuration.framesPerSecond(30) {
        format = [
          CaptureDevice.Format(
            .nv12, dimensions: .init(width: width, height: height),
            frameDurations: [duration...duration])
        ]
      }
      return .generated(format) { request in
        guard
          let layout = PixelLayout(
            format: .nv12, width: width, height: height, bytesPerRow: [bytesPerRow])
        else { throw CaptureError(.unsupportedFormat) }
        var bytes = [UInt8](repeating: 128, count: layout.byteCount(ofBlock: 0))
        for y in 0..<height {
          for x in 0..<width {
            let module = (x - 26) / 4
            let isDark = x >= 26 && modules.indices.contains(module) && modules[module]
            bytes[y * bytesPerRow + x] = isDark ? 30 : 220
          }
        }
        return CapturedFrame(
          bytes: bytes, layout: layout, color: .bt601Limited, sequence: request.sequence,
          timestamp: request.timestamp)
      }
    }

    private func scan(_ frames: MockFrames) async throws -> [(code: String, time: CMTime)] {
      try await onMachine(with: [MockCamera(frames: frames)]) {
        let (scanner, finds) = (BarcodeScanner(), Finds())
        scanner.delegate = finds
        try #require(scanner.setUp())
        scanner.session.startRunning()
        try await wait { finds.all.count >= 3 }
        scanner.session.stopRunning()
        return finds.all
      }
    }

    @Test func readsTheRowsOfALockedBuffer() async throws {
      let finds = try await scan(Self.label("73513537"))

      #expect(finds.allSatisfy { $0.code == "73513537" })
    }

    @Test func saysWhenEachFrameWasTaken() async throws {
      let times = try await scan(Self.label("96385074")).map(\.time)

      #expect(times == times.sorted())
      #expect(times.allSatisfy { $0.isNumeric && $0.timescale == 1_000_000_000 })
      let second = CMTimeGetSeconds(CMTimeSubtract(times[1], times[0]))
      #expect(second > 0.01 && second < 5)
    }
  }
}
