public import CaptureKitLinux
public import Foundation

extension CaptureVideoPreviewLayer {
  /// The layer's size; there is no layer around it, so that its place is always the origin.
  public var frame: CGRect {
    get { bounds }
    set { bounds = CGRect(origin: .zero, size: newValue.size) }
  }
}
