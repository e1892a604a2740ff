import Imaging

extension CaptureError {
  /// An error of a backend or a lower room as one of this module's; its own pass unchanged.
  static func wrapping(_ error: any Error) -> CaptureError {
    switch error {
    case let error as CaptureError: error
    case let error as ImagingError:
      CaptureError(code(for: error), "\(error)", errno: error.errno)
    default: CaptureError(.backendFailed, "The capture backend failed: \(error)")
    }
  }

  private static func code(for error: ImagingError) -> Code {
    switch error.code {
    case .corrupt, .incomplete: .corruptFrame
    case .unsupported: .unsupportedFormat
    default: .cannotEncode
    }
  }
}
