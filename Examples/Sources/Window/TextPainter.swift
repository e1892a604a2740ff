import CPangoCairo
import Imaging

/// Paints text with Pango: any script, in the fonts that fontconfig finds.
enum TextPainter {
  /// Paints text that fits into a width, on several lines where it has to be.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - size: The height of its letters, in pixels.
  ///   - width: The most pixels in a row.
  ///   - isWrapped: Whether there may be several lines; else what does not fit is an ellipsis.
  /// - Returns: White letters on nothing; nil where there is none, or no memory.
  static func paint(_ text: String, size: Double, width: Double, isWrapped: Bool) -> PixelBuffer? {
    guard let (columns, rows) = draw(text, size, width, isWrapped, on: nil),
      (1...16384).contains(columns), (1...16384).contains(rows),
      let surface = cairo_image_surface_create(
        CAIRO_FORMAT_ARGB32, Int32(columns), Int32(rows))
    else { return nil }
    defer { cairo_surface_destroy(surface) }
    guard draw(text, size, width, isWrapped, on: surface) != nil,
      let bytes = cairo_image_surface_get_data(surface)
    else { return nil }
    let stride = Int(cairo_image_surface_get_stride(surface))
    return try? PixelBuffer(format: .bgra32, width: columns, height: rows) { _, row, target in
      for x in 0..<columns {
        // Cairo's colours have their alpha in them already; SDL's do not.
        let pixel = bytes + row * stride + 4 * x
        let alpha = Int(pixel[3])
        guard alpha > 0 else { continue }
        for channel in 0..<3 {
          target.storeBytes(
            of: UInt8(clamping: Int(pixel[channel]) * 255 / alpha),
            toByteOffset: 4 * x + channel, as: UInt8.self)
        }
        target.storeBytes(of: pixel[3], toByteOffset: 4 * x + 3, as: UInt8.self)
      }
    }
  }

  /// Lays text out, and draws it where there is a surface.
  ///
  /// - Returns: Its size in pixels.
  private static func draw(
    _ text: String, _ size: Double, _ width: Double, _ isWrapped: Bool, on surface: OpaquePointer?
  ) -> (Int, Int)? {
    guard let canvas = surface ?? cairo_image_surface_create(CAIRO_FORMAT_A8, 1, 1) else {
      return nil
    }
    defer { if surface == nil { cairo_surface_destroy(canvas) } }
    guard let context = cairo_create(canvas) else { return nil }
    defer { cairo_destroy(context) }
    guard let layout = pango_cairo_create_layout(context),
      let font = pango_font_description_from_string("Sans")
    else { return nil }
    defer {
      g_object_unref(UnsafeMutableRawPointer(layout))
      pango_font_description_free(font)
    }
    let scale = Double(PANGO_SCALE)
    pango_font_description_set_absolute_size(font, size * scale)
    pango_layout_set_font_description(layout, font)
    pango_layout_set_width(layout, Int32(clamping: Int(max(1, width) * scale)))
    pango_layout_set_ellipsize(layout, isWrapped ? PANGO_ELLIPSIZE_NONE : PANGO_ELLIPSIZE_END)
    pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR)
    pango_layout_set_text(layout, text, -1)
    var (columns, rows, natural) = (Int32(0), Int32(0), PangoRectangle())
    pango_layout_get_pixel_extents(layout, nil, &natural)
    (columns, rows) = (natural.width, natural.height)
    cairo_set_source_rgb(context, 1, 1, 1)
    cairo_translate(context, Double(-natural.x), Double(-natural.y))
    pango_cairo_show_layout(context, layout)
    return (Int(columns), Int(rows))
  }
}
