import Dispatch
import Imaging
import Synchronization

/// What has been made of one frame: each picture once, for all copies of the frame and all threads.
final class FrameConversions: Sendable {
  /// A picture that somebody wants of a frame.
  struct Wish: Hashable {
    var format: PixelFormat
    var orientation = ImageOrientation.up
  }

  private enum Picture {
    case inTheMaking(DispatchGroup)
    case made(Result<PixelBuffer, ImagingError>)
  }

  /// One or two: an array is faster than a dictionary, and costs nothing while it is empty.
  private let pictures = Mutex<[(wish: Wish, picture: Picture)]>([])

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
    let work = DispatchGroup()
    let known = pictures.withLock { pictures -> Picture? in
      if let known = pictures.first(where: { $0.wish == wish }) { return known.picture }
      work.enter()
      pictures.append((wish, .inTheMaking(work)))
      return nil
    }
    switch known {
    case .made(let result): return try result.get()
    case .inTheMaking(let work):
      work.wait()
      return try picture(wish, make: make)
    case nil: break
    }
    let result: Result<PixelBuffer, ImagingError>
    do throws(ImagingError) { result = .success(try make()) } catch { result = .failure(error) }
    pictures.withLock { pictures in
      if let index = pictures.firstIndex(where: { $0.wish == wish }) {
        pictures[index].picture = .made(result)
      }
    }
    work.leave()
    return try result.get()
  }
}
