/// One presentation, for those who wait for it.
final class PickerPresentation: Sendable {
  let number: Int
  /// Whether the camera or the library is there, or why it is not.
  let opened = PickerPromise<Result<Void, LibraryError>>()
  /// What it has come to.
  let ended = PickerPromise<Result<ImagePickerController.Outcome, LibraryError>>()

  init(number: Int) { self.number = number }
}
