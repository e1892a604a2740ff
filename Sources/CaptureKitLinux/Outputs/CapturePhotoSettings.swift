import Synchronization

/// What one photo is to be like; Apple's `AVCapturePhotoSettings`.
///
/// Settings serve one request: make new ones for the next, or copy with ``init(from:)``. What is
/// changed after the request was made has no effect on it.
///
/// ```swift
/// let settings = CapturePhotoSettings()
/// settings.photoQualityPrioritization = .quality
/// settings.embeddedThumbnailDimensions = VideoDimensions(width: 160, height: 120)
/// let photo = try await photos.capturePhoto(with: settings)
/// ```
public final class CapturePhotoSettings: Sendable {
  /// How a photo is made upright.
  public enum Rotation: Hashable, Sendable {
    /// The file says how it is to be turned (EXIF); the camera's pixels stay as they are.
    case exif
    /// The pixels are turned: without loss where the picture's size allows, else by encoding anew.
    case pixels
    /// The pixels are turned without loss, or the photo fails with `cannotRotate`.
    case pixelsLosslessly
    /// The pixels are turned without loss; where the picture's size does not allow it, up to 15
    /// rows or columns at an edge are cut off.
    case pixelsTrimmed
  }

  /// Tells requests apart; the same in ``CaptureResolvedPhotoSettings/uniqueID``.
  public let uniqueID: Int64
  private let wishes: Mutex<PhotoWishes>
  private let isUsed = Atomic(false)

  private static let counter = Atomic<Int64>(0)

  /// Asks for a JPEG photo.
  ///
  /// - Parameters:
  ///   - quality: The JPEG quality from 0 to 1; nil keeps a camera's own JPEG.
  ///   - rotation: How the photo is made upright.
  ///   - timeout: How long to wait for a frame.
  public convenience init(
    quality: Double? = nil, rotation: Rotation = .exif, timeout: Duration = .seconds(5)
  ) {
    self.init(PhotoWishes())
    self.quality = quality
    self.rotation = rotation
    self.timeout = timeout
  }

  /// Asks for a bracket: one photo for each exposure.
  ///
  /// - Parameter bracketedSettings: The exposures, in order; at most
  ///   ``CapturePhotoOutput/maxBracketedCapturePhotoCount``.
  public convenience init(bracketedSettings: [CaptureBracketedStillImageSettings]) {
    self.init(PhotoWishes())
    self.bracketedSettings = bracketedSettings
  }

  /// The same wishes for another request.
  public convenience init(from settings: CapturePhotoSettings) {
    self.init(settings.current)
  }

  init(_ wishes: PhotoWishes) {
    uniqueID = Self.counter.add(1, ordering: .relaxed).newValue
    self.wishes = Mutex(wishes)
  }

  /// What is wished for now.
  var current: PhotoWishes {
    get { wishes.withLock { $0 } }
    set { wishes.withLock { $0 = newValue } }
  }

  /// Whether a request was made with them.
  var isTaken: Bool { isUsed.load(ordering: .relaxed) }

  /// Takes the settings for a request.
  ///
  /// - Returns: Whether they were free until now.
  func take() -> Bool {
    !isUsed.exchange(true, ordering: .relaxed)
  }
}

// MARK: - The picture

extension CapturePhotoSettings {
  /// How the photo is compressed; JPEG until set. One of
  /// ``CapturePhotoOutput/availablePhotoCodecTypes``.
  ///
  /// With `hevc` the file is a HEIC: a camera's JPEG is encoded anew for it, the file always shows
  /// upright, and it has no ``embeddedThumbnailDimensions``.
  public var codec: VideoCodecType {
    get { current.codec }
    set { wishes.withLock { $0.codec = newValue } }
  }

  /// The quality from 0 to 1; nil keeps a camera's own JPEG, and encodes raw frames with 0.85, with
  /// 0.95 where ``photoQualityPrioritization`` is `quality`.
  ///
  /// A value makes a camera's JPEG be encoded anew, and the photo says so.
  public var quality: Double? {
    get { current.quality }
    set {
      wishes.withLock { $0.quality = newValue.flatMap { $0.isNaN ? nil : min(max($0, 0), 1) } }
    }
  }

  /// How the photo is made upright; by EXIF until set. ``CapturePhoto/rotation`` says what was
  /// done.
  public var rotation: Rotation {
    get { current.rotation }
    set { wishes.withLock { $0.rotation = newValue } }
  }

  /// How long to wait for a frame, an hour at most, counted from the request or from when exposure
  /// has settled; five seconds until set. Of several photos each has this time.
  public var timeout: Duration {
    get { current.timeout }
    set { wishes.withLock { $0.timeout = min(max(newValue, .zero), .seconds(3600)) } }
  }

  /// What matters more, a short wait or a good picture; balanced until set. No more than
  /// ``CapturePhotoOutput/maxPhotoQualityPrioritization``.
  public var photoQualityPrioritization: CapturePhotoOutput.QualityPrioritization {
    get { current.prioritization }
    set { wishes.withLock { $0.prioritization = newValue } }
  }

  /// Whether the photo is lit; off until set.
  ///
  /// - Note: Linux: with `auto` it is not, as in daylight, and with `on` it is refused with
  ///   `unsupportedSettings`: see ``CaptureDevice/hasFlash``.
  public var flashMode: CaptureDevice.FlashMode {
    get { current.flashMode }
    set { wishes.withLock { $0.flashMode = newValue } }
  }

  /// The largest picture wanted, in the camera's own orientation; nil, as it is until set, for the
  /// size that the camera streams in.
  ///
  /// Where the camera has a format that is larger than its stream's and within this, the stream is
  /// interrupted for the photo: other outputs get nothing meanwhile and are told of a
  /// discontinuity. No more than ``CapturePhotoOutput/maxPhotoDimensions``.
  public var maxPhotoDimensions: VideoDimensions? {
    get { current.maxDimensions }
    set { wishes.withLock { $0.maxDimensions = newValue } }
  }

  /// How many photos are taken of consecutive exposures; one until set, and at most
  /// ``CapturePhotoOutput/maxBurstPhotoCount``.
  ///
  /// Photos come one by one, each with its ``CapturePhoto/photoCount``.
  public var burstCount: Int {
    get { current.burstCount }
    set { wishes.withLock { $0.burstCount = newValue } }
  }

  /// The exposures of a bracket, a photo for each; empty until set, for none.
  ///
  /// The camera's controls are set for each photo, its picture is waited for to follow them, and at
  /// the end they are put back, whatever has become of the photos. Other photos of the camera wait
  /// meanwhile.
  public var bracketedSettings: [CaptureBracketedStillImageSettings] {
    get { current.bracket }
    set { wishes.withLock { $0.bracket = newValue } }
  }
}

// MARK: - What goes with it

extension CapturePhotoSettings {
  /// The box that a small picture within the file must fit into; nil, as it is until set, for none.
  ///
  /// It shows what the photo shows, turned as the photo is. EXIF's usual size is 160x120. A side
  /// has at most 640 pixels.
  public var embeddedThumbnailDimensions: VideoDimensions? {
    get { current.thumbnail }
    set { wishes.withLock { $0.thumbnail = newValue?.bounded(by: PhotoWishes.largestThumbnail) } }
  }

  /// The box that ``CapturePhoto/previewPixelBuffer`` must fit into; nil, as it is until set, for
  /// none. A side has at most 4096 pixels.
  public var previewDimensions: VideoDimensions? {
    get { current.preview }
    set { wishes.withLock { $0.preview = newValue?.bounded(by: PhotoWishes.largestPreview) } }
  }

  /// Whether the photo of a raw frame keeps a copy of the camera's samples in
  /// ``CapturePhoto/pixelBuffer``; false until set.
  public var isPixelBufferDeliveryEnabled: Bool {
    get { current.keepsPixels }
    set { wishes.withLock { $0.keepsPixels = newValue } }
  }
}

extension VideoDimensions {
  fileprivate func bounded(by side: Int) -> VideoDimensions {
    VideoDimensions(width: min(max(width, 1), side), height: min(max(height, 1), side))
  }
}
