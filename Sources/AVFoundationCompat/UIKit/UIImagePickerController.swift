#if Movies
  public import CaptureKitLibrary
  import Dispatch
  public import Foundation

  /// Lets a user take or choose a picture or a movie: an `ImagePickerController` with UIKit's
  /// dictionaries and strings.
  ///
  /// ```swift
  /// let picker = UIImagePickerController()
  /// picker.sourceType = UIImagePickerController.isSourceTypeAvailable(.camera) ? .camera : .photoLibrary
  /// picker.delegate = self
  /// present(picker, animated: true)
  /// ```
  ///
  /// There are no view controllers on Linux: yours calls ``present(animated:completion:)`` in its
  /// `present`, and shows what ``controller`` says. The delegate is called on the main queue, which
  /// the program has to run. All members may be used from any thread.
  public final class UIImagePickerController: Sendable {
    /// Apple's name of the sources.
    public typealias SourceType = ImagePickerController.SourceType
    /// Apple's name of the keys of what was picked.
    public typealias InfoKey = ImagePickerController.InfoKey
    /// Apple's name of the sides of the machine.
    public typealias CameraDevice = ImagePickerController.CameraDevice
    /// Apple's name of the camera's modes.
    public typealias CameraCaptureMode = ImagePickerController.CameraCaptureMode
    /// Apple's name of the light's modes.
    public typealias CameraFlashMode = ImagePickerController.CameraFlashMode
    /// Apple's name of how movies are to be.
    public typealias QualityType = ImagePickerController.QualityType

    /// What a front end shows, and what it calls for the user.
    public let controller: ImagePickerController = ImagePickerController()
    private let bridge = UIImagePickerDelegateBridge()

    /// Makes a picker of pictures from the user's library.
    public init() {
      controller.callbackQueue = .main
      controller.delegate = bridge
      bridge.belong(to: self)
    }

    /// Is told what was picked; not kept.
    public var delegate: (any UIImagePickerControllerDelegate & UINavigationControllerDelegate)? {
      get { bridge.delegate }
      set { bridge.delegate = newValue }
    }
  }

  // MARK: - Presenting it

  extension UIImagePickerController {
    /// Presents the picker: what your view controller's `present(_:animated:completion:)` calls.
    ///
    /// Where nothing can be presented the delegate is told that it was cancelled, and
    /// ``lastError`` says why.
    ///
    /// - Parameters:
    ///   - isAnimated: Of no effect.
    ///   - completion: Called on the main queue once it is presented, or is known not to be.
    public func present(
      animated isAnimated: Bool = true, completion: (@Sendable () -> Void)? = nil
    ) {
      controller.deviceOrientationSource = UIDevice.current.orientationSource
      Task { [controller, bridge] in
        let isPresented = (try? await controller.present()) != nil
        DispatchQueue.main.async {
          completion?()
          if !isPresented { bridge.tellCancelled() }
        }
      }
    }

    /// Ends the presentation; one that has not ended is cancelled.
    ///
    /// - Parameters:
    ///   - isAnimated: Of no effect.
    ///   - completion: Called on the main queue.
    public func dismiss(animated isAnimated: Bool, completion: (@Sendable () -> Void)? = nil) {
      if controller.state.isPresented { controller.cancel() }
      if let completion { DispatchQueue.main.async { completion() } }
    }

    /// Why the last call was refused, or what went wrong; nil where nothing did.
    public var lastError: (any Error)? { controller.lastError }
  }

  // MARK: - What there is

  extension UIImagePickerController {
    /// Whether a source has anything to present.
    public static func isSourceTypeAvailable(_ sourceType: SourceType) -> Bool {
      ImagePickerController.isSourceTypeAvailable(sourceType)
    }

    /// The uniform type identifiers of what a source has; nil where it is not available.
    public static func availableMediaTypes(for sourceType: SourceType) -> [String]? {
      ImagePickerController.availableMediaTypes(for: sourceType)?.map(\.rawValue)
    }

    /// Whether there is a camera on a side.
    public static func isCameraDeviceAvailable(_ cameraDevice: CameraDevice) -> Bool {
      ImagePickerController.isCameraDeviceAvailable(cameraDevice)
    }

    /// What a camera can be presented for, as numbers of ``CameraCaptureMode``; nil where there is
    /// none.
    public static func availableCaptureModes(for cameraDevice: CameraDevice) -> [NSNumber]? {
      ImagePickerController.availableCaptureModes(for: cameraDevice)?.map {
        NSNumber(value: $0.rawValue)
      }
    }

    /// Whether a camera has a light.
    public static func isFlashAvailable(for cameraDevice: CameraDevice) -> Bool {
      ImagePickerController.isFlashAvailable(for: cameraDevice)
    }
  }

  // MARK: - What it is to be like

  extension UIImagePickerController {
    /// Where pictures and movies come from.
    public var sourceType: SourceType {
      get { controller.sourceType }
      set { controller.sourceType = newValue }
    }

    /// The uniform type identifiers of what may be picked; pictures until it is set.
    public var mediaTypes: [String] {
      get { controller.mediaTypes.map(\.rawValue) }
      set { controller.mediaTypes = newValue.map { PickerMediaType(rawValue: $0) } }
    }

    /// Whether a picture can be cropped and turned before it is used.
    public var allowsEditing: Bool {
      get { controller.allowsEditing }
      set { controller.allowsEditing = newValue }
    }

    /// Which camera is used.
    public var cameraDevice: CameraDevice {
      get { controller.cameraDevice }
      set { controller.cameraDevice = newValue }
    }

    /// What the camera is tuned for.
    public var cameraCaptureMode: CameraCaptureMode {
      get { controller.cameraCaptureMode }
      set { controller.cameraCaptureMode = newValue }
    }

    /// Whether the camera's light shines while a picture is taken or a movie is recorded.
    public var cameraFlashMode: CameraFlashMode {
      get { controller.cameraFlashMode }
      set { controller.cameraFlashMode = newValue }
    }

    /// How movies are to be.
    public var videoQuality: QualityType {
      get { controller.videoQuality }
      set { controller.videoQuality = newValue }
    }

    /// The longest that a movie may be, in seconds.
    public var videoMaximumDuration: TimeInterval {
      get { controller.videoMaximumDuration }
      set { controller.videoMaximumDuration = newValue }
    }
  }

  // MARK: - Taking pictures and movies

  extension UIImagePickerController {
    /// Takes a picture.
    public func takePicture() { controller.takePicture() }

    /// Starts a movie.
    ///
    /// - Returns: Whether it was not refused.
    @discardableResult
    public func startVideoCapture() -> Bool { controller.startVideoCapture() }

    /// Ends the movie.
    public func stopVideoCapture() { controller.stopVideoCapture() }
  }
#endif
