public import Foundation
import Synchronization

/// A picture: the bytes that it came in, untouched, and its pixels once somebody asks for them.
///
/// Reads JPEG. Its size, orientation and metadata are known without decoding; decoding happens
/// once, and all who hold the picture share its pixels. Usable from any thread.
public final class Image: Sendable {
  /// The bytes of the picture's file as they came; nil for a picture made of pixels.
  public let encodedData: Data?
  /// Pixels in a row, as stored.
  public let pixelWidth: Int
  /// Rows, as stored.
  public let pixelHeight: Int
  /// What the picture says of itself.
  public let metadata: ImageMetadata

  private let structure: JPEGStructure?
  private let limits: Limits
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
  public init(_ data: Data, limits: Limits = .standard) throws(ImagingError) {
    let kind = ImageKind(of: data.bytes)
    if let kind, kind != .jpeg {
      throw ImagingError(.unsupported, "\(kind.rawValue) pictures cannot be read.")
    }
    let structure = try JPEGStructure(walking: data.bytes)
    try limits.check(structure.size)
    try limits.check(metadataByteCount: structure.metadataByteCount)
    encodedData = data
    pixelWidth = structure.width
    pixelHeight = structure.height
    metadata = ImageMetadata(structure, in: data.bytes)
    self.structure = structure
    self.limits = limits
    decoded = Mutex(nil)
  }

  /// Reads a picture file.
  ///
  /// - Parameters:
  ///   - url: A file.
  ///   - limits: What the picture may ask for.
  /// - Throws: `.unreadable` where the file cannot be read, with the kernel's error number; otherwise as
  ///   `init(_:limits:)`.
  public convenience init(
    contentsOf url: URL, limits: Limits = .standard
  ) throws(ImagingError) {
    let data: Data
    do {
      data = try Data(contentsOf: url)
    } catch {
      let underlying = (error as? CocoaError)?.underlying as? POSIXError
      throw ImagingError(
        .unreadable, "The picture \(url.path) cannot be read: \(error.localizedDescription)",
        errno: underlying?.code.rawValue)
    }
    try self.init(data, limits: limits)
  }

  /// Takes pixels; they have no metadata and are upright as they are.
  public init(_ pixels: PixelBuffer) {
    encodedData = nil
    pixelWidth = pixels.width
    pixelHeight = pixels.height
    metadata = ImageMetadata()
    structure = nil
    limits = .standard
    decoded = Mutex(.success(pixels))
  }

  /// How the stored rows are to be shown.
  public var orientation: ImageOrientation { metadata.orientation }

  /// Columns and rows as shown, the orientation applied.
  public var size: PixelSize {
    PixelSize(width: pixelWidth, height: pixelHeight).shown(by: orientation)
  }
}

// MARK: - Pixels

extension Image {
  /// The pixels as stored, in BGRA; decoded at the first call.
  ///
  /// - Returns: The pixels, which all callers share.
  /// - Throws: `.corrupt` and `.incomplete` where the picture is damaged, also where a decoder could guess;
  ///   `.unsupported` for kinds of JPEG that cannot be read.
  public func pixelBuffer() throws(ImagingError) -> PixelBuffer {
    let result = decoded.withLock { decoded in
      let result = decoded ?? decode()
      decoded = result
      return result
    }
    return try result.get().converted(to: .bgra32)
  }

  /// The pixels as shown, in BGRA: the orientation applied.
  ///
  /// - Returns: `size` pixels; turned anew at each call.
  /// - Throws: As `pixelBuffer()`.
  public func orientedPixelBuffer() throws(ImagingError) -> PixelBuffer {
    try LibYUVBridge.oriented(pixelBuffer(), by: orientation)
  }

  /// What there is of a picture whose end is missing or that is damaged, as stored, in BGRA.
  ///
  /// Not kept: decoded anew at each call, unless ``pixelBuffer()`` succeeded before.
  ///
  /// - Throws: As ``pixelBuffer()``, but for damage behind the headers; `.incomplete` where there are far too
  ///   few bytes for the declared size, too.
  public func partialPixelBuffer() throws(ImagingError) -> PartialPixels {
    if let pixels = decoded.withLock({ try? $0?.get() }) {
      return PartialPixels(pixels: try pixels.converted(to: .bgra32), wholeRowCount: pixelHeight)
    }
    guard let encodedData, let structure else {
      return PartialPixels(pixels: try pixelBuffer(), wholeRowCount: pixelHeight)
    }
    return try JPEGDecoder.partialPixels(of: encodedData.bytes, structure, limits: limits)
  }

  private func decode() -> Result<PixelBuffer, ImagingError> {
    guard let encodedData, let structure else {
      return .failure(ImagingError(.corrupt, "The picture has neither bytes nor pixels."))
    }
    do throws(ImagingError) {
      return .success(try JPEGDecoder.pixels(of: encodedData.bytes, structure, limits: limits))
    } catch {
      return .failure(error)
    }
  }
}

// MARK: - Encoding

extension Image {
  /// A JPEG picture newly encoded from the pixels, as Apple's `UIImage` makes it.
  ///
  /// Orientation and metadata go into its EXIF. For the bytes that the picture came in see `encodedData`.
  ///
  /// - Parameter compressionQuality: 0, the smallest, to 1, the best.
  /// - Returns: The bytes; nil where the picture cannot be decoded.
  public func jpegData(compressionQuality: Double) -> Data? {
    let pixels = encodedData == nil ? rawPixels() : try? pixelBuffer()
    return pixels.flatMap {
      try? JPEGEncoder(quality: compressionQuality).encode($0, metadata: metadata)
    }
  }

  /// The pixels that the picture was made of, in their own format.
  private func rawPixels() -> PixelBuffer? {
    decoded.withLock { try? $0?.get() }
  }
}
