public import Foundation
public import Imaging

/// What a user makes of a picture before it is used: a part of it, zoomed, moved and turned.
///
/// A value without a view. A front end draws what it says, tells it the user's gestures, and has it
/// applied at the picture's full resolution:
///
/// ```swift
/// var editor = ImageEditor(imageSize: image.size, aspectRatio: 1)
/// editor.zoom(by: 1.5, at: pointer, in: view)     // a turn of the wheel, a pinch
/// editor.pan(by: CGPoint(x: 12, y: 0), in: view)
/// editor.rotate(.clockwise90)
/// let edited = try editor.apply(to: image).image
/// ```
///
/// The part fills the view's ``cropFrame(in:)`` and the picture moves beneath it, as in Apple's
/// `UIImagePickerController`. Whatever it is told, the part lies within the picture and has a pixel
/// at least: gestures that lead beyond stop at the edge, and what is no number changes nothing.
public struct ImageEditor: Hashable, Sendable {
  /// The picture's size as it is shown, in pixels, before it is turned here.
  public let imageSize: PixelSize
  /// The most that the picture can be zoomed in, 1 or more; a picture of few pixels less than that.
  public let zoomLimit: Double
  /// How often the picture is turned clockwise by a quarter, 0 to 3.
  public private(set) var quarterTurns: Int = 0
  /// The part, between the picture's pixels.
  private(set) var area: CropArea
  private var ratio: Double?

  /// The zoom limit of an editor that is not told another.
  public static let standardZoomLimit: Double = 10

  /// Starts with the largest part that there is, in the middle.
  ///
  /// - Parameters:
  ///   - imageSize: The picture's size as it is shown, `Image.size`; sides of less than a pixel
  ///     count as one.
  ///   - aspectRatio: The part's width divided by its height, as the user sees it; 1 for a square.
  ///     nil for any, and for what is no ratio.
  ///   - zoomLimit: The most that the picture can be zoomed in.
  public init(
    imageSize: PixelSize, aspectRatio: Double? = nil, zoomLimit: Double = standardZoomLimit
  ) {
    // More than any picture has, and sums of these have whole numbers.
    let sides = 1...(1 << 30)
    self.imageSize = PixelSize(
      width: imageSize.width.clamped(to: sides), height: imageSize.height.clamped(to: sides))
    // What is no number is above no limit.
    self.zoomLimit = zoomLimit >= 1 ? min(zoomLimit, 1e6) : 1
    ratio = Self.sound(aspectRatio)
    area = CropArea(largest: ratio, in: self.imageSize)
  }

  /// The proportions as far as pictures can have them; nil for what is none.
  private static func sound(_ ratio: Double?) -> Double? {
    guard let ratio, ratio.isFinite, ratio > 0 else { return nil }
    return min(max(ratio, 1 / 65536), 65536)
  }
}

// MARK: - The part

extension ImageEditor {
  /// The part, in whole pixels of the picture as it is shown before it is turned here.
  public var cropRect: PixelRect { area.rounded(in: imageSize) }

  /// The size of what ``apply(to:oddEdges:)`` makes, as it is shown.
  public var outputSize: PixelSize { isOnItsSide ? cropRect.size.swapped : cropRect.size }

  /// How much larger the part is shown than the largest one of its proportions: 1 up to
  /// ``zoomLimit``.
  public var zoom: Double { area.zoom(in: imageSize) }

  /// Whether all of the picture is left, as it was.
  public var isUnchanged: Bool { quarterTurns == 0 && cropRect.size == imageSize }

  /// The part's width divided by its height, as the user sees it; nil for any.
  ///
  /// Setting it keeps the zoom, and the part's middle as far as the picture's edges allow. What is
  /// no ratio counts as nil, which leaves the part as it is.
  public var aspectRatio: Double? {
    get { ratio }
    set {
      ratio = Self.sound(newValue)
      if ratio != nil { reshape(zoom: zoom) }
    }
  }

  /// Chooses the part.
  ///
  /// - Parameter rect: The part, in pixels of the picture as it is shown before it is turned here;
  ///   what lies outside is left out. Where there is an ``aspectRatio``, the largest part of these
  ///   proportions in the middle of it is taken; a part that is smaller than the zoom's limit
  ///   allows grows. What is empty, or no number, changes nothing.
  public mutating func crop(to rect: CGRect) {
    let edges = [rect.minX, rect.maxX, rect.minY, rect.maxY].map { Double($0) }
    guard edges.allSatisfy(\.isFinite) else { return }
    let (left, right) = (max(edges[0], 0), min(edges[1], Double(imageSize.width)))
    let (upper, lower) = (max(edges[2], 0), min(edges[3], Double(imageSize.height)))
    guard left < right, upper < lower else { return }
    area.midX = (left + right) / 2
    area.midY = (upper + lower) / 2
    (area.width, area.height) = (right - left, lower - upper)
    if let ratio = ratioInPicture {
      area.width = min(area.width, area.height * ratio)
      area.height = min(area.height, area.width / ratio)
    }
    area = area.clamped(to: imageSize)
    if zoom > mostZoom { resize(toZoom: mostZoom) }
  }

  /// Starts anew: the largest part, not turned. The proportions stay.
  public mutating func reset() {
    quarterTurns = 0
    area = CropArea(largest: ratio, in: imageSize)
  }
}

// MARK: - Changing it

extension ImageEditor {
  /// Whether what was above is on a side.
  var isOnItsSide: Bool { quarterTurns % 2 == 1 }

  /// The part's proportions before it is turned.
  private var ratioInPicture: Double? { ratio.map { isOnItsSide ? 1 / $0 : $0 } }

  /// The most that this part can be zoomed in.
  var mostZoom: Double { min(zoomLimit, area.zoomLimit(in: imageSize)) }

  /// Turns the picture; what is in the middle stays there.
  mutating func turn(quarters: Int) {
    let zoom = zoom
    quarterTurns = (quarterTurns + quarters) & 3
    // A square, or a part of any proportions, is what it was.
    if let ratio, ratio != 1 { reshape(zoom: zoom) }
  }

  /// Gives the part its proportions.
  private mutating func reshape(zoom: Double) {
    let (midX, midY) = (area.midX, area.midY)
    area = CropArea(largest: ratioInPicture, in: imageSize)
    (area.midX, area.midY) = (midX, midY)
    resize(toZoom: min(zoom, mostZoom))
  }

  /// Makes the part larger or smaller about its middle.
  mutating func resize(toZoom target: Double) {
    let scale = zoom / target
    (area.width, area.height) = (area.width * scale, area.height * scale)
    area = area.clamped(to: imageSize)
  }

  /// Moves the part's middle.
  mutating func move(toMidX midX: Double, midY: Double) {
    guard !midX.isNaN, !midY.isNaN else { return }
    (area.midX, area.midY) = (midX, midY)
    area = area.clamped(to: imageSize)
  }
}

extension Int {
  fileprivate func clamped(to range: ClosedRange<Int>) -> Int {
    Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
  }
}

extension PixelSize {
  /// Columns as rows.
  var swapped: PixelSize { PixelSize(width: height, height: width) }
}
