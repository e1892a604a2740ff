public import Foundation

/// What a picture says of itself: how it is held, when and by what it was taken.
///
/// Written to and read from EXIF (CIPA DC-008). Properties that are nil are not written, and do not
/// replace what a camera wrote.
public struct ImageMetadata: Hashable, Sendable {
  /// An EXIF fraction.
  public struct Fraction: Hashable, Sendable {
    /// The number above the line.
    public var numerator: UInt32
    /// The number below the line.
    public var denominator: UInt32

    /// Names the two numbers.
    public init(_ numerator: UInt32, _ denominator: UInt32) {
      self.numerator = numerator
      self.denominator = denominator
    }

    /// The quotient; nil where it has none.
    public var value: Double? {
      denominator == 0 ? nil : Double(numerator) / Double(denominator)
    }
  }

  /// How the stored rows are to be shown.
  public var orientation: ImageOrientation = .up
  /// When the picture was taken, to the microsecond.
  public var dateTaken: Date?
  /// Seconds east of Greenwich of the clock on the wall; nil for this machine's at that date.
  public var timeZoneOffset: Int?
  /// The camera's maker.
  public var make: String?
  /// The camera's model.
  public var model: String?
  /// The program that made the picture.
  public var software: String?
  /// What is to be seen, in words.
  public var imageDescription: String?
  /// Seconds that the shutter was open.
  public var exposureTime: Fraction?
  /// The lens's focal length divided by the opening's width.
  public var fNumber: Fraction?
  /// Sensitivity as ISO 12232 counts it.
  public var isoSpeed: Int?
  /// Millimetres.
  public var focalLength: Fraction?
  /// Where the camera was.
  public var location: Location?

  var writtenSize = Aside<PixelSize>()

  /// Columns and rows as the metadata claims them; nil where it does not.
  ///
  /// Programs that change a picture's size often leave it: a picture's own size counts. Whatever is
  /// written says that one; what this property holds is neither written nor compared.
  public var pixelSize: PixelSize? { writtenSize.value }

  /// Says nothing; the picture is upright as stored.
  public init() {}

  /// Reads what a picture says, a file's bytes or a camera's JPEG frame.
  ///
  /// - Parameter picture: The picture; one that says nothing, or is damaged, gives what can be
  ///   read, be it nothing.
  public init(reading picture: RawSpan) {
    self.init()
    guard let known = try? ImageFormat.picture(in: picture) else { return }
    self = known.picture.metadata(in: picture)
  }

  /// Reads a TIFF structure as PNG and HEIF hold it, without the letters that JPEG puts before it.
  init(readingTIFF tiff: RawSpan) {
    self.init()
    guard tiff.byteCount <= ExifBlock.maximumByteCount else { return }
    var segment = Data(capacity: 6 + tiff.byteCount)
    segment.append(contentsOf: "Exif\0\0".utf8)
    segment.append(0..<tiff.byteCount, of: tiff)
    LibExifBridge.read(segment.bytes, into: &self)
  }

  init(_ structure: JPEGStructure, in jpeg: RawSpan) {
    self.init()
    guard let exif = structure.exif(in: jpeg) else { return }
    // libexif wants the segment's own words before the TIFF structure, with two zeros.
    guard jpeg.byte(at: exif.lowerBound - 1) == 0 else {
      self.init(readingTIFF: jpeg.extracting(exif))
      return
    }
    LibExifBridge.read(jpeg.extracting(exif.lowerBound - 6..<exif.upperBound), into: &self)
  }

  /// Whether there is nothing to be written.
  public var isEmpty: Bool { self == ImageMetadata() }

  /// A value that is no part of what its owner is compared by.
  struct Aside<Value: Sendable>: Hashable, Sendable {
    var value: Value?

    static func == (_: Self, _: Self) -> Bool { true }
    func hash(into _: inout Hasher) {}
  }
}
