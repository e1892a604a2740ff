import AVFoundationCompat

// How apps let their users change a picture of themselves. The view controller is a plain class,
// whose `present` shows a front end's picker; the rest is as it stands in such apps, with the import
// changed.

class AvatarViewController: NSObject {
  var imageView = [UIImage]()
  var movieURL: URL?
  var message: String?
  var picker: UIImagePickerController?
  var onChange: () -> Void = {}

  func present(
    _ picker: UIImagePickerController, animated: Bool, completion: (@Sendable () -> Void)? = nil
  ) {
    self.picker = picker
    picker.present(animated: animated, completion: completion)
  }

  func changePicture(movies: Bool = false) {
    let picker = UIImagePickerController()
    picker.delegate = self
    picker.allowsEditing = true
    if UIImagePickerController.isSourceTypeAvailable(.camera) {
      picker.sourceType = .camera
      if UIImagePickerController.isCameraDeviceAvailable(.front) {
        picker.cameraDevice = .front
      }
      if UIImagePickerController.isFlashAvailable(for: .front) {
        picker.cameraFlashMode = .auto
      }
    } else {
      picker.sourceType = .photoLibrary
    }
    if movies {
      picker.mediaTypes = [kUTTypeMovie as String]
      picker.videoMaximumDuration = 10
      picker.videoQuality = .medium
      picker.cameraCaptureMode = .video
    } else {
      picker.mediaTypes = [UTType.image.identifier]
    }
    present(picker, animated: true, completion: nil)
  }
}

extension AvatarViewController: UIImagePickerControllerDelegate, UINavigationControllerDelegate {
  func imagePickerController(
    _ picker: UIImagePickerController,
    didFinishPickingMediaWithInfo info: [UIImagePickerController.InfoKey: Any]
  ) {
    let mediaType = info[.mediaType] as? String
    if mediaType == kUTTypeMovie as String {
      movieURL = info[.mediaURL] as? URL
    } else if let image = info[.editedImage] as? UIImage ?? info[.originalImage] as? UIImage {
      imageView.append(image)
    }
    picker.dismiss(animated: true, completion: nil)
    onChange()
  }

  func imagePickerControllerDidCancel(_ picker: UIImagePickerController) {
    message = picker.lastError?.localizedDescription ?? "Cancelled"
    picker.dismiss(animated: true, completion: nil)
    onChange()
  }
}
