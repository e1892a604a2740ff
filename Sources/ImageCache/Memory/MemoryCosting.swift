public import Imaging

/// A value that knows how much memory it takes, so that no cache has to be told.
public protocol MemoryCosting: AnyObject, Sendable {
  /// The memory that the value takes or will take while somebody shows it, in bytes.
  var memoryCost: Int { get }
}

// MARK: - Image

extension Image: MemoryCosting {
  /// The picture's bytes and all of its pixels, four bytes each, whether they have been decoded yet
  /// or not: a picture is kept in order to be shown, and grows by its pixels then.
  public var memoryCost: Int {
    let (area, areaOverflow) = pixelWidth.multipliedReportingOverflow(by: pixelHeight)
    let (pixels, overflow) = area.multipliedReportingOverflow(by: 4)
    guard !areaOverflow, !overflow else { return .max }
    let (sum, sumOverflow) = pixels.addingReportingOverflow(encodedData?.count ?? 0)
    return sumOverflow ? .max : max(sum, byteCount)
  }
}
