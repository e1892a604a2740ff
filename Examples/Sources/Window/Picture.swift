import CSDL2
public import Imaging

/// Pixels that a window can draw, kept where its graphics hardware has them at hand.
///
/// Belongs to the thread of its window.
public final class Picture {
  /// Pixels in a row.
  public let width: Int
  /// Rows.
  public let height: Int
  let texture: OpaquePointer
  private let canvas: Canvas

  /// Makes room for pixels that will change often, black at first, or once.
  init?(_ canvas: Canvas, width: Int, height: Int) {
    guard (1...16384).contains(width), (1...16384).contains(height),
      let texture = SDL_CreateTexture(
        canvas.renderer, SDL_PIXELFORMAT_BGRA32.rawValue,
        Int32(SDL_TEXTUREACCESS_STREAMING.rawValue), Int32(width), Int32(height))
    else { return nil }
    (self.canvas, self.texture, self.width, self.height) = (canvas, texture, width, height)
    SDL_SetTextureBlendMode(texture, SDL_BLENDMODE_BLEND)
  }

  deinit { SDL_DestroyTexture(texture) }

  /// Shows other pixels.
  ///
  /// - Parameter pixels: BGRA pixels of the same size.
  /// - Returns: Whether they are shown.
  public func show(_ pixels: PixelBuffer) -> Bool {
    guard pixels.format == .bgra32, pixels.width == width, pixels.height == height else {
      return false
    }
    let stride = pixels.layout.planes[0].bytesPerRow
    return pixels.bytes(ofPlane: 0).withUnsafeBytes {
      SDL_UpdateTexture(texture, nil, $0.baseAddress, Int32(stride)) == 0
    }
  }
}

@available(*, unavailable)
extension Picture: Sendable {}
