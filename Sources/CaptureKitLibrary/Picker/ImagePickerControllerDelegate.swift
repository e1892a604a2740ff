/// Is told how a presentation of the picker has ended; Apple's `UIImagePickerControllerDelegate`.
///
/// For each presentation one of the calls comes, exactly once, on the picker's
/// ``ImagePickerController/callbackQueue`` and never under a lock. The picker does not keep its
/// delegate. As with Apple's protocol the delegate itself sees to it that other threads may use it
/// meanwhile.
public protocol ImagePickerControllerDelegate: AnyObject, SendableMetatype {
  /// A picture or a movie was picked; calls the form with the dictionary unless you take this one.
  ///
  /// - Parameters:
  ///   - picker: The picker.
  ///   - media: What was picked.
  func imagePickerController(_ picker: ImagePickerController, didFinishPicking media: PickedMedia)

  /// A picture or a movie was picked.
  ///
  /// - Parameters:
  ///   - picker: The picker.
  ///   - info: What was picked, as ``PickedMedia/info``.
  func imagePickerController(
    _ picker: ImagePickerController,
    didFinishPickingMediaWithInfo info: [ImagePickerController.InfoKey: any Sendable])

  /// The user did not want anything.
  ///
  /// - Parameter picker: The picker.
  func imagePickerControllerDidCancel(_ picker: ImagePickerController)

  /// Nothing can be picked any more: the camera has failed for good.
  ///
  /// - Parameters:
  ///   - picker: The picker.
  ///   - error: Why, with a sentence to be shown.
  func imagePickerController(
    _ picker: ImagePickerController, didFailWithError error: LibraryError)
}

extension ImagePickerControllerDelegate {
  /// Calls the form with the dictionary.
  public func imagePickerController(
    _ picker: ImagePickerController, didFinishPicking media: PickedMedia
  ) {
    imagePickerController(picker, didFinishPickingMediaWithInfo: media.info)
  }

  /// Does nothing.
  public func imagePickerController(
    _ picker: ImagePickerController,
    didFinishPickingMediaWithInfo info: [ImagePickerController.InfoKey: any Sendable]
  ) {}

  /// Does nothing.
  public func imagePickerControllerDidCancel(_ picker: ImagePickerController) {}

  /// Calls ``imagePickerControllerDidCancel(_:)``, so that whoever does not ask learns that it is
  /// over.
  public func imagePickerController(
    _ picker: ImagePickerController, didFailWithError error: LibraryError
  ) {
    imagePickerControllerDidCancel(picker)
  }
}
