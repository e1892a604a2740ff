/// A picture's width and height in pixels.
package struct FrameSize: Hashable, Sendable {
  package var width: UInt32
  package var height: UInt32

  package init(width: UInt32, height: UInt32) {
    self.width = width
    self.height = height
  }

  /// The number of pixels.
  package var area: UInt64 { UInt64(width) * UInt64(height) }
}

// MARK: - CustomStringConvertible

extension FrameSize: CustomStringConvertible {
  package var description: String { "\(width)x\(height)" }
}
