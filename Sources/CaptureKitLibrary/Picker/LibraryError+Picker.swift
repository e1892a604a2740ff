import CaptureKitLinux

extension LibraryError {
  /// Why a source is not there, in the words of what knows it.
  init(unavailable error: any Error) {
    if let error = error as? LibraryError {
      self = error
    } else {
      self.init(.sourceUnavailable, "\(error)", errno: (error as? CaptureError)?.errno)
    }
  }

  static let cancelledBefore = LibraryError(
    .notPresented, "The picker was cancelled before it was presented.")
}
