public import CaptureKitLinux

// MARK: - Sessions

/// Apple's name of `CaptureSession`.
public typealias AVCaptureSession = CaptureSession
/// Apple's session with several cameras; here every session takes them.
public typealias AVCaptureMultiCamSession = CaptureSession
/// Apple's name of `CaptureConnection`.
public typealias AVCaptureConnection = CaptureConnection
/// Apple's name of `CaptureDeviceInput`.
public typealias AVCaptureDeviceInput = CaptureDeviceInput
/// Apple's class of all inputs; here there is one kind, `CaptureDeviceInput`.
public typealias AVCaptureInput = CaptureDeviceInput
/// Apple's class of all outputs; here a protocol, `CaptureOutput`.
public typealias AVCaptureOutput = CaptureOutput

extension CaptureSession {
  /// Whether a session takes several cameras: always, as far as their bus carries their pictures.
  public static var isMultiCamSupported: Bool { true }
}

// MARK: - Devices

/// Apple's name of `CaptureDevice`.
public typealias AVCaptureDevice = CaptureDevice
/// Apple's name of `MediaType`.
public typealias AVMediaType = MediaType
/// Apple's name of `CaptureDevice/AuthorizationStatus`.
public typealias AVAuthorizationStatus = CaptureDevice.AuthorizationStatus
/// Apple's name of `FrameRateRange`.
public typealias AVFrameRateRange = FrameRateRange

// MARK: - Photos

/// Apple's name of `CapturePhotoOutput`.
public typealias AVCapturePhotoOutput = CapturePhotoOutput
/// Apple's name of `CapturePhotoSettings`.
public typealias AVCapturePhotoSettings = CapturePhotoSettings
/// Apple's name of `CaptureResolvedPhotoSettings`.
public typealias AVCaptureResolvedPhotoSettings = CaptureResolvedPhotoSettings
/// Apple's name of `CapturePhoto`.
public typealias AVCapturePhoto = CapturePhoto
/// Apple's name of `CapturePhotoCaptureDelegate`.
public typealias AVCapturePhotoCaptureDelegate = CapturePhotoCaptureDelegate
/// Apple's name of `VideoCodecType`.
public typealias AVVideoCodecType = VideoCodecType

// MARK: - Preview and orientation

/// Apple's name of `CaptureVideoPreviewLayer`.
public typealias AVCaptureVideoPreviewLayer = CaptureVideoPreviewLayer
/// Apple's name of `LayerVideoGravity`.
public typealias AVLayerVideoGravity = LayerVideoGravity
/// Apple's name of `CaptureVideoOrientation`.
public typealias AVCaptureVideoOrientation = CaptureVideoOrientation
