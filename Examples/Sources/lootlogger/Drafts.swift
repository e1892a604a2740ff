import Foundation
import Imaging
import Synchronization

/// Pictures that are not an item's yet: taken or chosen, and being cropped.
///
/// The newest few are kept, each until it is used.
final class Drafts: Sendable {
  /// What a page is told of one.
  struct Summary: Encodable, Sendable {
    let draft: String
    let width: Int
    let height: Int
  }

  /// How much a picture may ask for.
  static let limits = Image.Limits(pixelCount: 60_000_000, memoryByteCount: 512 << 20)
  /// The most bytes of a picture's file.
  static let byteLimit = 24 << 20

  private struct State: Sendable {
    var images: [String: Image] = [:]
    var order: [String] = []
  }

  private let state = Mutex(State())
  private let limit: Int

  init(limit: Int = 8) { self.limit = limit }

  /// Keeps a picture, once it is looked at whether it is one.
  ///
  /// - Throws: `ImagingError`.
  func add(_ data: Data) throws(ImagingError) -> Summary {
    let image = try Image(data, limits: Self.limits)
    // Its pixels, too.
    _ = try image.thumbnail(maxPixelSize: 64)
    image.releasePixels()
    let name = (0..<4).map { _ in String(UInt32.random(in: 0...UInt32.max), radix: 36) }
      .joined(separator: "-")
    state.withLock { state in
      state.images[name] = image
      state.order.append(name)
      while state.order.count > limit { state.images[state.order.removeFirst()] = nil }
    }
    return Summary(draft: name, width: image.size.width, height: image.size.height)
  }

  /// A picture that is kept; nil where it has gone.
  func image(_ name: String) -> Image? { state.withLock { $0.images[name] } }

  /// Lets go of a picture.
  func remove(_ name: String) {
    state.withLock { state in
      state.images[name] = nil
      state.order.removeAll { $0 == name }
    }
  }
}

extension Image {
  /// A part of the picture, without loss where its kind of file allows that: then up to 15 pixels
  /// at an edge may go, too.
  func part(_ rect: PixelRect) throws(ImagingError) -> Image {
    guard rect.size != size else { return self }
    do throws(ImagingError) {
      return try cropped(to: rect, oddEdges: .trim)
    } catch {
      // Less than a block is left, or the file is one that cannot be cut.
      return try cropped(to: rect)
    }
  }
}
