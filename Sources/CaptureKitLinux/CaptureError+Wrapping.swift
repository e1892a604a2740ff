import Imaging

extension CaptureError {
  /// An error of a backend or a lower room as one of this module's; its own pass unchanged.
  static func wrapping(_ error: any Error) -> CaptureError {
    switch error {
    case let error as CaptureError: error
    case let error as ImagingError:
      CaptureError(.cannotEncode, "\(error)", errno: error.errno)
    default: CaptureError(.backendFailed, "The capture backend failed: \(error)")
    }
  }
}
