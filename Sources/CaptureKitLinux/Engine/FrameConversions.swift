import Imaging
import Synchronization

/// What has been made of one frame: each picture once, for all copies of the frame and all threads.
final class FrameConversions: Sendable {
  /// A picture that somebody wants of a frame.
  struct Wish: Hashable {
    var format: PixelFormat
    /// nil for the usual one.
    var range: ColorDescription.Range?
    var orientation = ImageOrientation.up

    /// Whether a frame is such a picture as it is.
    func isMet(by frame: CapturedFrame) -> Bool {
      frame.layout != nil && frame.pixelFormat == format && orientation == .up
        && (range == nil || range == frame.color.range || format.isRGB)
    }
  }

  /// As `Result`, which asks the runtime for its error's conformance when it is first let go of, at
  /// a cost that a program that takes one photo would feel.
  private enum Outcome {
    case made(PixelBuffer)
    case failed(ImagingError)
  }

  private typealias Picture = MadeOnce<Outcome>

  /// One or two: an array is faster than a dictionary, and costs nothing while it is empty.
  private let pictures = Mutex<[(wish: Wish, picture: Picture)]>([])

  /// Whether somebody has asked for a picture.
  func hasPicture(_ wish: Wish) -> Bool {
    pictures.withLock { pictures in pictures.contains { $0.wish == wish } }
  }

  /// A picture of the frame; whoever asks while another thread makes it waits for that thread.
  ///
  /// - Parameters:
  ///   - wish: What it is to be like.
  ///   - make: Makes it; called where nobody has asked before.
  /// - Returns: The picture.
  /// - Throws: What making it threw, each time.
  func picture(
    _ wish: Wish, make: () throws(ImagingError) -> PixelBuffer
  ) throws(ImagingError) -> PixelBuffer {
    let picture = pictures.withLock { pictures in
      if let known = pictures.first(where: { $0.wish == wish }) { return known.picture }
      let picture = Picture()
      pictures.append((wish, picture))
      return picture
    }
    let outcome = picture.value {
      do throws(ImagingError) { return .made(try make()) } catch { return .failed(error) }
    }
    switch outcome {
    case .made(let pixels): return pixels
    case .failed(let error): throw error
    }
  }
}
