import AVFoundationCompat

// A view controller's capture code as books for iOS teach it. The views are plain classes; the rest
// is as it stands there, with the import changed.

class PreviewView {
  var bounds = CGRect(x: 0, y: 0, width: 320, height: 320)
  var previewLayer: AVCaptureVideoPreviewLayer?

  func setSession(_ session: AVCaptureSession) {
    guard self.previewLayer == nil else {
      NSLog("Warning: the preview layer was set more than once. This is not allowed.")
      return
    }
    let previewLayer = AVCaptureVideoPreviewLayer(session: session)
    previewLayer.videoGravity = .resizeAspectFill
    self.previewLayer = previewLayer
  }

  func layoutSubviews() {
    previewLayer?.frame = self.bounds
  }

  func setCameraOrientation(_ orientation: AVCaptureVideoOrientation) {
    previewLayer?.connection?.videoOrientation = orientation
  }
}

class CaptureViewController {
  typealias CompletionHandler = (UIImage?) -> Void
  var completion: CompletionHandler?

  let captureSession = AVCaptureSession()
  let photoOutput = AVCapturePhotoOutput()
  let cameraPreview: PreviewView! = PreviewView()

  var currentVideoOrientation: AVCaptureVideoOrientation {
    let orientationMap: [UIDeviceOrientation: AVCaptureVideoOrientation] = [
      .portrait: .portrait,
      .landscapeLeft: .landscapeRight,
      .landscapeRight: .landscapeLeft,
      .portraitUpsideDown: .portraitUpsideDown,
    ]
    let currentOrientation = UIDevice.current.orientation
    return orientationMap[currentOrientation, default: .portrait]
  }

  func viewDidLoad() {
    let discovery = AVCaptureDevice.DiscoverySession(
      deviceTypes: [AVCaptureDevice.DeviceType.builtInWideAngleCamera],
      mediaType: AVMediaType.video,
      position: AVCaptureDevice.Position.front)

    guard let captureDevice = discovery.devices.first else {
      NSLog("No capture devices available.")
      self.completion?(nil)
      return
    }

    do {
      try captureSession.addInput(AVCaptureDeviceInput(device: captureDevice))
    } catch let error {
      NSLog("Failed to add camera to capture session: \(error)")
      self.completion?(nil)
    }

    captureSession.sessionPreset = AVCaptureSession.Preset.photo
    captureSession.startRunning()

    if captureSession.canAddOutput(photoOutput) {
      captureSession.addOutput(photoOutput)
    }

    self.cameraPreview.setSession(captureSession)
  }

  func viewWillLayoutSubviews() {
    cameraPreview.layoutSubviews()
    cameraPreview.setCameraOrientation(currentVideoOrientation)
  }

  func takeSelfie(_ sender: Any) {
    guard let videoConnection = photoOutput.connection(with: AVMediaType.video) else {
      NSLog("Failed to get camera connection")
      self.completion?(nil)
      return
    }

    videoConnection.videoOrientation = currentVideoOrientation

    let settings = AVCapturePhotoSettings(format: [AVVideoCodecKey: AVVideoCodecType.jpeg])
    photoOutput.capturePhoto(with: settings, delegate: self)
  }
}

extension CaptureViewController: AVCapturePhotoCaptureDelegate {
  func photoOutput(
    _ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto, error: Error?
  ) {
    if let error = error {
      NSLog("Failed to get the photo: \(error)")
      self.completion?(nil)
      return
    }

    guard let jpegData = photo.fileDataRepresentation() else {
      NSLog("Failed to get JPEG from the photo")
      self.completion?(nil)
      return
    }

    guard let image = UIImage(data: jpegData) else {
      NSLog("Failed to get an image from the JPEG")
      self.completion?(nil)
      return
    }

    self.captureSession.stopRunning()
    self.completion?(image)
  }
}
