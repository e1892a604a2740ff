import AVFoundationCompat

// The code of the module's documentation.

class Booth: NSObject, AVCapturePhotoCaptureDelegate {
  let session = AVCaptureSession(), output = AVCapturePhotoOutput()
  var completion: ((UIImage?) -> Void)?

  func takePhoto() {
    guard let connection = output.connection(with: .video) else { return }
    connection.videoOrientation = .portrait
    let settings = AVCapturePhotoSettings(format: [AVVideoCodecKey: AVVideoCodecType.jpeg])
    output.capturePhoto(with: settings, delegate: self)
  }

  func photoOutput(
    _ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto, error: Error?
  ) {
    completion?(photo.fileDataRepresentation().flatMap(UIImage.init(data:)))
  }
}
