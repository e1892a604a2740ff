public import CaptureKitLinux
public import Foundation
public import Imaging
import Synchronization

/// A movie's file: how long and how large it is, its frames, and a picture for a list; what Apple's
/// `AVAsset`, `AVAssetReader` and `AVAssetImageGenerator` do for a movie's pictures.
///
/// Reads Matroska and WebM, MP4, QuickTime, AVI and MPEG transport streams, told by their content,
/// also those whose recording was interrupted. What is in the file makes nothing else be opened, no
/// other file and no address. Sound is passed over.
///
/// Usable from any thread. Calls that decode wait for each other; loops over ``frames`` have a
/// decoder each.
public final class MovieReader: Sendable {
  /// The file, as it was named.
  public let url: URL
  /// What kind of file it is, by its content.
  public let container: MovieContainer
  /// How its pictures are compressed.
  public let codec: VideoCodecType
  /// Columns and rows as stored.
  public let codedSize: VideoDimensions
  /// Columns and rows as shown: the orientation applied, and pixels that are not square made so.
  public let size: VideoDimensions
  /// How stored pictures are to be shown.
  public let orientation: ImageOrientation
  /// Frames in a second on average; nil where the file does not say. Frames need not be equally far
  /// from each other.
  public let nominalFrameRate: Double?
  /// When the movie was recorded, as its container says; Apple's `AVAsset.creationDate`.
  ///
  /// Matroska, MP4 and QuickTime have such a date. nil where the file has none, where it is none
  /// that there is, and where it is 1970 or before, as of a clock that nobody has set. One without a
  /// time zone, which AVI files of some cameras have, is taken for this machine's time.
  public let creationDate: Date?
  /// Bytes of the file when it was opened.
  public let byteCount: Int

  let file: MovieInputFile
  let limits: Image.Limits
  let facts: MovieFacts
  /// Held while decoding: there is one decoder, and who asks at the same time waits for it.
  private let cursor: Mutex<FrameCursor>
  /// Held while the file is read for it: who asks at the same time waits and shares.
  private let measuredLength = Mutex<Int64??>(nil)
  private let damaged = Mutex(false)

  /// Opens a movie and reads what it says of itself.
  ///
  /// - Parameters:
  ///   - url: A regular file: nobody waits for a pipe or a device.
  ///   - limits: What its pictures may ask for. Of a codec that predicts frames from others, a few
  ///     more than sixteen have to be in memory: 35 million pixels are the most by default.
  /// - Throws: ``MovieError``. `.cannotRead` where there is no such file or it is none,
  ///   `.notPermitted`; `.notAMovie` for files of other kinds and for sound alone;
  ///   `.unsupportedCodec`; `.tooLarge` above the limits; `.corrupt` where it does not say how large
  ///   its pictures are.
  public init(contentsOf url: URL, limits: Image.Limits = .standard) throws(MovieError) {
    file = try MovieInputFile(url)
    let cursor = try FrameCursor(file, limits, MovieCancellation())
    facts = cursor.facts
    self.url = url
    self.limits = limits
    container = facts.container
    codec = facts.codec
    codedSize = facts.codedSize
    size = facts.shownSize
    orientation = facts.orientation
    nominalFrameRate = facts.framesPerSecond
    creationDate = facts.creationDate
    byteCount = file.byteCount
    self.cursor = Mutex(cursor)
  }

  /// How long the movie is, from its first frame to its end.
  ///
  /// Most files say so. One whose recording was interrupted is looked through at the first call,
  /// which may read all of it; 0 where it has no frame.
  public var duration: Duration {
    if let duration = facts.duration { return duration }
    let length = measuredLength.withLock { (length: inout Int64??) -> Int64? in
      let known = length ?? MovieLength.measured(file, facts, limits, MovieCancellation())
      length = .some(known)
      return known
    }
    return length.map(facts.timeBase.duration(ofTicks:)) ?? .zero
  }

  /// How many frames there are, as the file says, or by its duration and rate; nil where nothing
  /// says so. Looks through the file as ``duration`` does.
  public var estimatedFrameCount: Int? {
    if let count = facts.frameCount { return count }
    guard let rate = nominalFrameRate else { return nil }
    let (seconds, attoseconds) = duration.components
    let count = (Double(seconds) + Double(attoseconds) / 1e18) * rate
    return count.isFinite && count < 1e15 ? Int(count.rounded()) : nil
  }

  /// Whether something of the movie could not be read so far: its end is missing, or packets are
  /// damaged, which were passed over. Frames say nothing of it.
  public var isDamaged: Bool { damaged.withLock { $0 } }

  func noteDamage() { damaged.withLock { $0 = true } }
}

// MARK: - Dates

extension MovieReader {
  /// ``creationDate`` without a look at the pictures, for those who have many files to ask.
  ///
  /// - Parameter url: A regular file.
  /// - Returns: nil where the file does not say.
  /// - Throws: ``MovieError``: `.cannotRead`, `.notPermitted`, `.notAMovie`, `.tooLarge`.
  package static func creationDate(ofMovieAt url: URL) throws(MovieError) -> Date? {
    try LibAVDemuxerBridge.opened(MovieInputFile(url), MovieCancellation()).creationDate
  }
}

// MARK: - Frames

extension MovieReader {
  /// The frame that is shown at a time; Apple's `AVAssetImageGenerator` without any tolerance.
  ///
  /// Decodes from the key frame before it, or on from the frame that was asked for last.
  ///
  /// - Parameter time: From the movie's begin, to the nanosecond. At the movie's end it is the last
  ///   frame's.
  /// - Returns: The frame whose time is the last that is not after `time`; the first frame where
  ///   that is shown later.
  /// - Throws: ``MovieError``. `.endOfMovie` for a time below 0 or behind the end; `.corrupt` where
  ///   no frame can be decoded there; `.cannotRead`, `.tooLarge`.
  public func frame(at time: Duration) throws(MovieError) -> MovieFrame {
    let length = measuredLength.withLock { $0 }
    return try decoding { cursor throws(MovieError) in
      if let length { cursor.measuredLength = length }
      _ = try cursor.find(time)
      guard let frame = try cursor.frame() else { throw cursor.noFrame }
      return frame
    }
  }

  /// A picture that stands for the movie, in a list for instance; Apple's `AVAssetImageGenerator`.
  ///
  /// It is the key frame a tenth of the movie after its begin, or another one where that is of a
  /// single colour, as movies are that fade in. A few hundred frames at most are decoded for it.
  ///
  /// - Parameter maxPixelSize: The most pixels of the longer side, at least 1; nil for the movie's
  ///   own size.
  /// - Returns: A picture of BGRA pixels, upright, pixels square.
  /// - Throws: ``MovieError``. `.corrupt` where no frame can be decoded; `.cannotRead`,
  ///   `.tooLarge`.
  public func posterImage(maxPixelSize: Int? = nil) throws(MovieError) -> Image {
    let pixels = try decoding { cursor throws(MovieError) in try cursor.poster() }
    let image = Image(pixels, orientation: orientation)
    do throws(ImagingError) {
      guard maxPixelSize != nil || !facts.hasSquarePixels else {
        return try image.bakingOrientation()
      }
      let longest = max(size.width, size.height)
      let side = min(max(maxPixelSize ?? longest, 1), longest)
      if facts.hasSquarePixels { return try image.thumbnail(maxPixelSize: side) }
      let scale = Double(side) / Double(longest)
      return try image.resized(
        to: CGSize(
          width: max(1, (Double(size.width) * scale).rounded()),
          height: max(1, (Double(size.height) * scale).rounded())), contentMode: .scaleToFill)
    } catch {
      throw MovieError(
        error.code == .tooLarge ? .tooLarge : .corrupt, "\(file.path): \(error.description)")
    }
  }

  private func decoding<Value: Sendable>(
    _ body: @Sendable (FrameCursor) throws(MovieError) -> Value
  ) throws(MovieError) -> Value {
    let (result, isDamaged) = cursor.withLock { cursor in
      (Result { () throws(MovieError) in try body(cursor) }, cursor.isDamaged)
    }
    if isDamaged { noteDamage() }
    return try result.get()
  }
}
