import CBaselines

/// libyuv as a C program uses it to show a frame: its passes, and memory that is made once.
final class PlainPreview {
  /// The orders of passes that are worth a comparison.
  enum Order { case convertedFirst, planesFirst }

  let preview: cb_preview
  private let previewer: UnsafeMutableRawPointer
  private(set) var bgra: [UInt8]

  init(_ preview: cb_preview) throws {
    guard let previewer = cb_previewer_create(preview) else {
      throw BenchmarkFailure(description: "there is no memory for a preview")
    }
    self.preview = preview
    self.previewer = previewer
    bgra = [UInt8](
      repeating: 0, count: Int(preview.target_width) * Int(preview.target_height) * 4)
  }

  deinit { cb_previewer_destroy(previewer) }

  func draw(_ yuyv: [UInt8], _ order: Order) throws {
    let status =
      order == .convertedFirst
      ? cb_preview_converted_first(previewer, yuyv, &bgra)
      : cb_preview_planes_first(previewer, yuyv, &bgra)
    guard status == 0 else { throw BenchmarkFailure(description: "libyuv has failed") }
  }
}
