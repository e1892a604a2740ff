public import Foundation
import Synchronization

/// A picture: the bytes that it came in, untouched, and its pixels once somebody asks for them.
///
/// Reads JPEG and PNG and, with the package's trait `HEIF`, HEIC and AVIF, told by their content.
/// Size, orientation, metadata and colour profile are known without decoding; decoding happens
/// once, and all who hold the picture share its pixels. Usable from any thread.
public final class Image: Sendable {
  /// The bytes of the picture's file as they came; nil for a picture made of pixels.
  ///
  /// Whoever keeps a picture or passes it on uses these: nothing is lost.
  public let encodedData: Data?
  /// The kind of file that the bytes are; nil for a picture made of pixels.
  public let format: ImageFormat?
  /// Pixels in a row, as stored.
  public let pixelWidth: Int
  /// Rows, as stored.
  public let pixelHeight: Int
  let picture: (any EncodedPicture)?
  /// The pixels that the picture was made of, and their profile.
  private let original: PixelBuffer?
  private let originalProfile: ColorProfile?
  let limits: Limits
  /// What the picture says of itself, once somebody has asked: most pictures are passed on unread.
  private let said: Mutex<ImageMetadata?>
  /// Held while decoding: who asks at the same time waits and shares, instead of decoding too.
  private let decoded: Mutex<Result<PixelBuffer, ImagingError>?>

  /// Reads a picture's header.
  ///
  /// - Parameters:
  ///   - data: The bytes of a picture file; kept as they are.
  ///   - limits: What it may ask for, whatever it declares.
  /// - Throws: `.unsupported` for kinds of pictures that this library does not read, by name;
  ///   `.corrupt` and `.incomplete` where the bytes are no picture or stop within its headers;
  ///   `.tooLarge` above a limit. Damage behind the headers shows when the pixels are asked for.
  public convenience init(_ data: Data, limits: Limits = .standard) throws(ImagingError) {
    let (format, picture) = try Self.picture(in: data, limits)
    self.init(data, format, picture, limits, decoded: nil)
  }

  /// Reads a picture file.
  ///
  /// - Parameters:
  ///   - url: A regular file: nobody waits for a pipe or a device.
  ///   - limits: What the picture may ask for; a file with more bytes than its memory is not read.
  /// - Throws: `.unreadable` where there is no such file or it cannot be read, with the kernel's
  ///   error number where it is the kernel that refused; otherwise as `init(_:limits:)`. The
  ///   sentence names the file.
  public convenience init(
    contentsOf url: URL, limits: Limits = .standard
  ) throws(ImagingError) {
    let (data, format, picture) = try PictureFile.with(url) {
      (file: borrowing PictureFile) throws(ImagingError) in
      let data = try file.contents(atMost: limits.memoryByteCount)
      let (format, picture) = try Self.picture(in: data, limits)
      return (data, format, picture)
    }
    self.init(data, format, picture, limits, decoded: nil)
  }

  /// Takes pixels.
  ///
  /// - Parameters:
  ///   - pixels: The pixels as stored; kept in their format until somebody asks for BGRA.
  ///   - metadata: What is to be said of them, the orientation too.
  ///   - orientation: How they are to be shown; nil for what the metadata says.
  ///   - colorProfile: How their colours are meant; nil for sRGB.
  public init(
    _ pixels: PixelBuffer, metadata: ImageMetadata = ImageMetadata(),
    orientation: ImageOrientation? = nil, colorProfile: ColorProfile? = nil
  ) {
    encodedData = nil
    format = nil
    pixelWidth = pixels.width
    pixelHeight = pixels.height
    var metadata = metadata
    if let orientation { metadata.orientation = orientation }
    said = Mutex(metadata)
    picture = nil
    original = pixels
    originalProfile = colorProfile
    limits = .standard
    decoded = Mutex(nil)
  }

  /// The same pixels in a file that says something else of them.
  convenience init(_ other: Image, in data: Data) throws(ImagingError) {
    let (format, picture) = try ImageFormat.picture(in: data.bytes)
    self.init(data, format, picture, other.limits, decoded: other.decoded.withLock { $0 })
  }

  /// Reads the headers, as far as the limits allow.
  private static func picture(
    in data: Data, _ limits: Limits
  ) throws(ImagingError) -> (ImageFormat, any EncodedPicture) {
    let (format, picture) = try ImageFormat.picture(in: data.bytes)
    try limits.check(picture.size)
    try limits.check(metadataByteCount: picture.metadataByteCount)
    return (format, picture)
  }

  private init(
    _ data: Data, _ format: ImageFormat, _ picture: any EncodedPicture, _ limits: Limits,
    decoded: Result<PixelBuffer, ImagingError>?
  ) {
    encodedData = data
    self.format = format
    pixelWidth = picture.size.width
    pixelHeight = picture.size.height
    said = Mutex(nil)
    self.picture = picture
    original = nil
    originalProfile = nil
    self.limits = limits
    self.decoded = Mutex(decoded)
  }

  /// What the picture says of itself; read from the bytes at the first call.
  public var metadata: ImageMetadata {
    said.withLock { said in
      if let said { return said }
      let metadata = picture.flatMap { picture in
        encodedData.map { picture.metadata(in: $0.bytes) }
      }
      said = metadata
      return metadata ?? ImageMetadata()
    }
  }

  /// How the stored rows are to be shown.
  public var orientation: ImageOrientation { metadata.orientation }

  /// Columns and rows as shown, the orientation applied.
  public var size: PixelSize {
    PixelSize(width: pixelWidth, height: pixelHeight).shown(by: orientation)
  }

  /// How the picture's colours are meant; nil where it does not say so, which is to be read as
  /// sRGB.
  ///
  /// Read from the bytes at each call.
  public var colorProfile: ColorProfile? {
    guard let picture, let encodedData else { return originalProfile }
    return picture.colorProfile(in: encodedData.bytes)
  }
}

// MARK: - Pixels

extension Image {
  /// The pixels as stored, in BGRA; decoded at the first call.
  ///
  /// Colours are not multiplied with alpha, and not converted by the colour profile.
  ///
  /// - Returns: The pixels, which all callers share.
  /// - Throws: `.corrupt` and `.incomplete` where the picture is damaged, also where a decoder
  ///   could guess; `.unsupported` for kinds of pictures that cannot be read.
  public func pixelBuffer() throws(ImagingError) -> PixelBuffer {
    try decoded.withLock { decoded in
      let result = decoded ?? decode()
      decoded = result
      return result
    }.get()
  }

  /// The pixels as shown, in BGRA: the orientation applied.
  ///
  /// - Returns: `size` pixels; turned anew at each call.
  /// - Throws: As `pixelBuffer()`.
  public func orientedPixelBuffer() throws(ImagingError) -> PixelBuffer {
    try LibYUVBridge.oriented(pixelBuffer(), by: orientation)
  }

  /// The pixels that the picture was made of, in their own format; decoded ones otherwise.
  func storedPixels() throws(ImagingError) -> PixelBuffer {
    if let original { return original }
    return try pixelBuffer()
  }

  /// What there is of a picture whose end is missing or that is damaged, as stored, in BGRA.
  ///
  /// Not kept: decoded anew at each call, unless ``pixelBuffer()`` succeeded before.
  ///
  /// - Throws: As ``pixelBuffer()``, but for damage behind the headers; `.incomplete` where there
  ///   are far too few bytes for the declared size, too.
  public func partialPixelBuffer() throws(ImagingError) -> PartialPixels {
    let isDecoded = decoded.withLock { (try? $0?.get()) != nil }
    guard let encodedData, let picture, !isDecoded else {
      return PartialPixels(pixels: try pixelBuffer(), wholeRowCount: pixelHeight)
    }
    return try picture.partialPixels(of: encodedData.bytes, limits: limits)
  }

  private func decode() -> Result<PixelBuffer, ImagingError> {
    do throws(ImagingError) {
      if let original { return .success(try original.converted(to: .bgra)) }
      guard let encodedData, let picture else {
        return .failure(ImagingError(.corrupt, "The picture has neither bytes nor pixels."))
      }
      return .success(try picture.pixels(of: encodedData.bytes, limits: limits))
    } catch {
      return .failure(error)
    }
  }
}

// MARK: - Memory

extension Image {
  /// Bytes of memory that the picture holds now: those of its file and of its pixels, as far as
  /// they are there.
  ///
  /// Grows by four bytes a pixel when the picture is decoded, and falls with ``releasePixels()``.
  /// Waits while another thread decodes.
  public var byteCount: Int {
    let held = decoded.withLock { try? $0?.get() }
    // BGRA that the picture was made of is held once.
    let pixels = original?.format == .bgra ? original : held
    let made = original?.format == .bgra ? nil : original
    return (encodedData?.count ?? 0) + (pixels?.byteCount ?? 0) + (made?.byteCount ?? 0)
  }

  /// Lets go of decoded pixels: they are decoded anew when somebody asks for them again.
  ///
  /// Pixels that somebody else still holds live as long as they do. What the picture was made of
  /// stays.
  public func releasePixels() {
    decoded.withLock { $0 = nil }
  }
}
