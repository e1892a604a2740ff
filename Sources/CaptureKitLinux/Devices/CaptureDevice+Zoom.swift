extension CaptureDevice {
  /// How much the camera magnifies, 1 for its widest view; 1 where it has no zoom.
  ///
  /// - Note: Linux: the lens's zoom, where the driver tells focal lengths; pictures are not
  ///   cropped.
  ///
  /// Reading asks the camera. What is refused changes nothing and is kept in ``lastError``;
  /// ``setVideoZoomFactor(_:)`` throws it.
  public var videoZoomFactor: Double {
    get {
      guard let zoom = zoomControl, let number = number(of: .zoom) else { return 1 }
      return max(1, Double(number) / Double(zoom.range.lowerBound))
    }
    set { keepingRefusal { try setVideoZoomFactor(newValue) } }
  }

  /// The lowest ``videoZoomFactor``.
  public var minAvailableVideoZoomFactor: Double { 1 }

  /// The highest ``videoZoomFactor``; 1 where the camera has no zoom.
  public var maxAvailableVideoZoomFactor: Double {
    zoomControl.map { Double($0.range.upperBound) / Double($0.range.lowerBound) } ?? 1
  }

  /// Zooms.
  ///
  /// - Parameter factor: From 1 to ``maxAvailableVideoZoomFactor``; the camera's nearest step is
  ///   taken.
  /// - Throws: ``CaptureError``: `notLocked`, `unsupportedControl` where the camera has no zoom,
  ///   `invalidControlValue` out of range, and what ``setValue(_:for:)`` throws.
  public func setVideoZoomFactor(_ factor: Double) throws {
    try requireLock()
    guard let zoom = zoomControl else { throw CaptureError.cannot("zoom", self) }
    let wish = (factor * Double(zoom.range.lowerBound)).rounded()
    guard factor >= 1, wish <= Double(zoom.range.upperBound) else {
      throw CaptureError.outOfRange(
        "zooms from 1 to \(maxAvailableVideoZoomFactor), not \(factor)", self)
    }
    let number = ControlScale.nearest(to: wish, in: zoom.range)
    try setValue(.integer(zoom.nearest(to: number)), for: .zoom)
  }

  /// The zoom, where its numbers are focal lengths: those from 0 on say nothing of the factor.
  private var zoomControl: CaptureControl? {
    guard let control = control(.zoom), control.isWritable, control.range.lowerBound > 0 else {
      return nil
    }
    return control
  }
}
