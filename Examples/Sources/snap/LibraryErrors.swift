import CaptureKitLibrary
import ExampleSupport

extension Failure {
  /// Finds the status for an error of the library or the picker.
  init(_ error: LibraryError) {
    let status: ExitStatus =
      switch error.code {
      case .sourceUnavailable, .noFolder, .noAsset: .unavailable
      case .notPermitted: .notPermitted
      case .cannotRead, .unsupportedPicture, .tooLarge, .cannotEdit: .inputOutput
      default: .software
      }
    self.init(status, "\(error)")
  }
}
