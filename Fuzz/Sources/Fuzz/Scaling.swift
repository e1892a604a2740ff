import Foundation
import Imaging

/// A picture of any kind at a size that the first bytes choose.
func scalePicture(_ data: Data) {
  guard data.count > 4, let image = try? Image(Data(data[4...]), limits: limits) else { return }
  let size = CGSize(width: 1 + Int(data[1]), height: 1 + Int(data[2]))
  let mode = Image.ContentMode.allCases[Int(data[0]) % Image.ContentMode.allCases.count]
  let quality = Image.ScalingQuality.allCases[Int(data[0] >> 2) & 1]
  let isLinear = data[0] & 8 != 0
  let scaled = try? image.resized(
    to: size, contentMode: mode, scale: Double(data[3] & 3) / 2, quality: quality,
    inLinearLight: isLinear)
  if let scaled {
    expect(scaled.orientation == .up, "a scaled picture is upright")
    expect((try? scaled.pixelBuffer())?.width == scaled.size.width, "it has its pixels")
  }
  if let small = try? image.thumbnail(maxPixelSize: 1 + Int(data[3])) {
    expect(max(small.size.width, small.size.height) <= 1 + Int(data[3]), "a thumbnail is small")
    do throws(ImagingError) {
      _ = try image.pixelBuffer()
    } catch {
      // Samplings that libjpeg cannot enlarge can be scaled all the same.
      expect(error.code == .unsupported, "what is scaled is sound")
    }
  }
}
