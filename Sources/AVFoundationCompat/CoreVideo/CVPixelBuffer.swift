public import Imaging
import Synchronization

/// Apple's name of a picture in memory that may be of any kind; here it is always pixels.
public typealias CVImageBuffer = CVPixelBuffer

/// A picture's pixels, which code reads between a lock and an unlock; Core Video's `CVPixelBuffer`.
///
/// ```swift
/// CVPixelBufferLockBaseAddress(pixelBuffer, .readOnly)
/// defer { CVPixelBufferUnlockBaseAddress(pixelBuffer, .readOnly) }
/// let bytes = CVPixelBufferGetBaseAddress(pixelBuffer)
/// ```
///
/// Addresses are given out while it is locked and hold until the last unlock. The bytes may be the
/// camera's own, shared with other outputs: a lock that is not `readOnly` gives the buffer bytes of
/// its own first, so that nobody else sees what is written. The calls may come from any thread; who
/// writes sees to it that nobody reads meanwhile.
public final class CVPixelBuffer: Sendable {
  private struct State {
    var locks = 0
    var own: OwnPixelBytes?
  }

  private let original: PixelBuffer
  private let state = Mutex(State())

  /// Lends a picture's bytes out.
  public init(_ pixels: PixelBuffer) {
    original = pixels
  }

  /// The picture as `Imaging` knows it, with what was written: for conversions, encoding and
  /// `UIImage`.
  public var pixels: PixelBuffer {
    state.withLock { $0.own }?.picture(like: original) ?? original
  }

  var layout: PixelLayout { original.layout }
  var pixelFormatType: OSType { original.format.pixelFormatType(range: original.color.range) }

  /// - Returns: Whether there was memory for it.
  func lock(forWriting isWriting: Bool) -> Bool {
    state.withLock { state in
      if state.own == nil, isWriting || OwnPixelBytes.isNeeded(for: original) {
        guard let own = OwnPixelBytes(copying: original) else { return false }
        state.own = own
      }
      state.locks += 1
      return true
    }
  }

  /// - Returns: Whether it was locked.
  func unlock() -> Bool {
    state.withLock { state in
      guard state.locks > 0 else { return false }
      state.locks -= 1
      return true
    }
  }

  /// Lends a plane to the bridge; nil while it is not locked.
  func lend<Value>(_ body: (PixelBuffer, OwnPixelBytes?) -> Value?) -> Value? {
    let (isLocked, own) = state.withLock { ($0.locks > 0, $0.own) }
    return isLocked ? body(original, own) : nil
  }
}

extension CVPixelBuffer: Hashable {
  /// Buffers are equal when they are the same object.
  public static func == (one: CVPixelBuffer, other: CVPixelBuffer) -> Bool { one === other }

  /// Hashes the object's identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
