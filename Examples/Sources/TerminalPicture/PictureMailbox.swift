import Dispatch
import Imaging
import Synchronization

/// Where a picture waits for the terminal's thread; one at a time.
final class PictureMailbox: Sendable {
  /// A picture, and somebody who waits until it is shown.
  final class Delivery: Sendable {
    let pixels: PixelBuffer
    private let wasShown = Mutex(false)
    private let isOver = DispatchSemaphore(value: 0)

    init(_ pixels: PixelBuffer) { self.pixels = pixels }

    /// To be called once.
    func finish(shown: Bool) {
      wasShown.withLock { $0 = shown }
      isOver.signal()
    }

    fileprivate func wait() -> Bool {
      isOver.wait()
      return wasShown.withLock { $0 }
    }
  }

  private struct State {
    var delivery: Delivery?
    var caption: TerminalCaption?
    var isClosed = false
    var figures = PictureFigures()
  }

  private let state = Mutex(State())

  /// Leaves a picture and waits until it is shown, or is not going to be.
  ///
  /// - Parameters:
  ///   - pixels: The picture.
  ///   - wake: Tells the terminal's thread.
  /// - Returns: Whether it has been shown.
  func deliver(_ pixels: PixelBuffer, wake: () -> Void) -> Bool {
    let delivery = Delivery(pixels)
    let (isClosed, old) = state.withLock { state in
      guard !state.isClosed else { return (true, Delivery?.none) }
      defer { state.delivery = delivery }
      return (false, state.delivery)
    }
    old?.finish(shown: false)
    guard !isClosed else { return false }
    wake()
    return delivery.wait()
  }

  /// The picture that waits; the taker finishes it.
  func take() -> Delivery? {
    state.withLock { state in
      defer { state.delivery = nil }
      return state.delivery
    }
  }

  /// The text below the pictures; nil until it is set.
  var caption: TerminalCaption? {
    get { state.withLock { $0.caption } }
    set { state.withLock { $0.caption = newValue } }
  }

  /// Lets whoever waits go, and nobody wait any more.
  func close() {
    state.withLock { $0.isClosed = true }
    take()?.finish(shown: false)
  }

  func count(byteCount: Int) {
    state.withLock { state in
      state.figures.pictureCount += 1
      state.figures.byteCount += byteCount
    }
  }

  var figures: PictureFigures { state.withLock { $0.figures } }
}
