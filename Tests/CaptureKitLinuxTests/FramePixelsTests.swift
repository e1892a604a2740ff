import Dispatch
import Foundation
import Imaging
import Synchronization
import Testing

@testable import CaptureKitLinux

/// Frames whose pixels are wanted in another format.
@Suite(.timeLimit(.minutes(1)))
struct FramePixelsTests {
  static func raw(_ sequence: UInt64 = 0, filledWith value: UInt8 = 128) throws -> CapturedFrame {
    let layout = try #require(PixelLayout(format: .yuyv, width: 64, height: 32))
    return CapturedFrame(
      bytes: [UInt8](repeating: value, count: layout.byteCount(ofBlock: 0)), layout: layout,
      sequence: sequence,
      timestamp: FrameTimestamp(
        HostTime(nanoseconds: Int64(sequence + 1) * 33_000_000), .startOfExposure))
  }

  static func jpeg(_ sequence: UInt64 = 0, isWhole: Bool = true) throws -> CapturedFrame {
    let pixels = try #require(try raw().pixelBuffer)
    let file = try JPEGEncoder().encode(pixels)
    return CapturedFrame(
      jpeg: isWhole ? file : file.prefix(file.count / 2),
      dimensions: VideoDimensions(width: 64, height: 32), sequence: sequence,
      timestamp: FrameTimestamp(HostTime(nanoseconds: 33_000_000), .startOfExposure))
  }

  @Test(arguments: [PixelFormat.bgra, .nv12])
  func areConvertedOnceForAllCopiesAndThreads(_ format: PixelFormat) throws {
    for frame in [try Self.raw(), try Self.jpeg()] {
      let copy = frame.stamped(FrameTimestamp(.now, .pickup))
      let addresses = Mutex<Set<UInt>>([])

      DispatchQueue.concurrentPerform(iterations: 8) { number in
        guard let pixels = try? (number.isMultiple(of: 2) ? frame : copy).pixels(as: format) else {
          return
        }
        addresses.withLock { _ = $0.insert(pixels.address) }
        #expect(pixels.format == format && pixels.width == 64)
      }

      #expect(addresses.withLock { $0.count } == 1)
    }
  }

  @Test func areTheFramesOwnWhereItHasTheFormat() throws {
    let frame = try Self.raw()
    #expect(try frame.pixels(as: .yuyv).address == frame.pixelBuffer?.address)
  }

  @Test func areTurnedOnce() throws {
    let frame = try Self.raw()
    let wish = FrameConversions.Wish(format: .bgra, orientation: .right)
    let turned = try frame.pixels(wish)

    #expect(turned.width == 32 && turned.height == 64)
    #expect(try frame.pixels(wish).address == turned.address)
    #expect(try frame.pixels(as: .bgra).address != turned.address)
  }

  @Test func areNotToBeHadOfADamagedJPEG() throws {
    let frame = try Self.jpeg(isWhole: false)
    for _ in 0..<2 {
      let error = #expect(throws: ImagingError.self) { try frame.pixels(as: .nv12) }
      #expect(error?.code == .incomplete)
    }
  }

  @Test func areNotToBeHadInEveryFormat() throws {
    for frame in [try Self.raw(), try Self.jpeg()] {
      let error = #expect(throws: ImagingError.self) { try frame.pixels(as: .mjpeg) }
      #expect(error?.code == .unsupported)
    }
  }
}

extension PixelBuffer {
  /// Where the first sample lies.
  var address: UInt { bytes(ofPlane: 0).withUnsafeBytes { UInt(bitPattern: $0.baseAddress) } }
}
