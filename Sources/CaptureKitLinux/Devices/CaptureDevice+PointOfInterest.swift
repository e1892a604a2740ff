public import Foundation

extension CaptureDevice {
  /// Whether ``focusPointOfInterest`` can be set.
  ///
  /// - Note: Linux: always false. The kernel's cameras choose by themselves where they look.
  public var isFocusPointOfInterestSupported: Bool { false }

  /// Where the camera focuses: from (0, 0) at the picture's top left, as the camera sends it, to
  /// (1, 1); always its middle.
  ///
  /// What is refused changes nothing and is kept in ``lastError``.
  public var focusPointOfInterest: CGPoint {
    get { CGPoint(x: 0.5, y: 0.5) }
    set { keepingRefusal { try refusePoint("focus at (\(newValue.x), \(newValue.y))") } }
  }

  /// Whether ``exposurePointOfInterest`` can be set.
  ///
  /// - Note: Linux: always false, as for focus.
  public var isExposurePointOfInterestSupported: Bool { false }

  /// Where the camera measures light; as ``focusPointOfInterest``.
  public var exposurePointOfInterest: CGPoint {
    get { CGPoint(x: 0.5, y: 0.5) }
    set { keepingRefusal { try refusePoint("expose for (\(newValue.x), \(newValue.y))") } }
  }

  private func refusePoint(_ what: String) throws {
    try requireLock()
    throw CaptureError.cannot(what, self)
  }
}
