import Dispatch
public import Foundation
import Imaging
import Synchronization

/// Shows a session's camera; Apple's `AVCaptureVideoPreviewLayer`, for any front end.
///
/// There is no layer tree on Linux, so the layer hands out images, BGRA at the size of the front
/// end's view, upright and mirrored as a preview is:
///
/// ```swift
/// let layer = CaptureVideoPreviewLayer(session: session)
/// layer.videoGravity = .resizeAspectFill
/// var shown: PreviewImage?
/// // In each turn of the front end's loop:
/// if let image = try layer.image(width: width, height: height, after: shown) {
///   draw(image.pixels.bytes(ofPlane: 0), image.width, image.height)
///   shown = image
/// }
/// ```
///
/// That is a pull, on the caller's thread. Who would rather be called sets ``bounds`` and takes
/// ``images`` or ``setImageHandler(_:)``, which come on a queue of the layer's own. Either way the
/// newest frame is shown and older ones are left out: one frame is kept, and a slow front end slows
/// nothing but itself. Of a session's cameras the first one is shown.
///
/// All members may be used from any thread. A layer that nobody holds leaves its session.
public final class CaptureVideoPreviewLayer: Sendable {
  let output = PreviewOutput()
  private let state = Mutex(State())

  private struct State {
    var session: CaptureSession?
    var handler: UInt64?
  }

  /// Makes a layer, and attaches it to a session.
  ///
  /// - Parameter session: The session; nil to attach it later.
  public init(session: CaptureSession? = nil) {
    self.session = session
  }

  deinit {
    // The last reference may go on a camera's thread or within a session's call: nobody waits here.
    output.endImages()
    guard let session = state.withLock({ $0.session }) else { return }
    DispatchQueue.global().async { [output] in session.removeOutput(output) }
  }
}

// MARK: - The session

extension CaptureVideoPreviewLayer {
  /// The session whose camera is shown; nil while there is none.
  ///
  /// A layer shows one session: set it to nil before another one. A second session is refused;
  /// nothing changes then, and its ``CaptureSession/lastError`` says so. ``setSession(_:)`` throws
  /// it.
  public var session: CaptureSession? {
    get { state.withLock { $0.session } }
    set {
      do {
        try setSession(newValue)
      } catch {
        newValue?.record(.wrapping(error))
      }
    }
  }

  /// Attaches the layer to a session, or takes it off its session.
  ///
  /// - Parameter session: The session; nil to take the layer off.
  /// - Throws: ``CaptureError`` with the code `cannotAddOutput` where the layer shows another
  ///   session.
  public func setSession(_ session: CaptureSession?) throws {
    let old = try state.withLock { state in
      guard state.session == nil || session == nil || state.session === session else {
        throw CaptureError(
          .cannotAddOutput,
          "The preview layer shows another session: set its session to nil first.")
      }
      defer { state.session = session }
      return state.session
    }
    guard old !== session else { return }
    old?.removeOutput(output)
    guard let session else { return }
    do {
      try session.add(output)
    } catch {
      state.withLock { $0.session = nil }
      throw error
    }
    // Another thread may have taken the layer off before its output was there.
    if self.session !== session { session.removeOutput(output) }
  }

  /// The connection from the camera that is shown; nil without a session or camera.
  ///
  /// Its orientation turns the preview, its mirroring flips it; a front camera's preview is
  /// mirrored unless ``CaptureConnection/isVideoMirrored`` is set. Photos have a connection, and
  /// settings, of their own.
  public var connection: CaptureConnection? { output.connection }

  /// Whether there is a frame to be shown.
  public var isPreviewing: Bool { output.newest != nil }
}

// MARK: - Looks

extension CaptureVideoPreviewLayer {
  /// How the picture fills the layer; `resizeAspect` until it is set.
  public var videoGravity: LayerVideoGravity {
    get { output.renderer.look.withLock { $0.videoGravity } }
    set { output.renderer.look.withLock { $0.videoGravity = newValue } }
  }

  /// The layer's place in units of the front end's own; empty until it is set.
  ///
  /// Points and rectangles are converted to and from these units, and images that are pushed have
  /// this size times ``contentsScale``.
  public var bounds: CGRect {
    get { output.renderer.look.withLock { $0.bounds } }
    set { output.renderer.look.withLock { $0.bounds = newValue } }
  }

  /// Pixels in a unit of ``bounds``; 1 until it is set.
  public var contentsScale: CGFloat {
    get { output.renderer.look.withLock { $0.contentsScale } }
    set { output.renderer.look.withLock { $0.contentsScale = newValue } }
  }

  /// A pixel's width divided by its height; 1 until it is set.
  ///
  /// Of front ends whose pixels are not square, as a terminal's half cells: the picture keeps its
  /// own shape as it is seen, unless it is stretched to the layer's.
  public var pixelAspectRatio: Double {
    get { output.renderer.look.withLock { $0.pixelAspectRatio } }
    set { output.renderer.look.withLock { $0.pixelAspectRatio = newValue } }
  }

  /// What is seen beside the picture; black until it is set.
  public var backgroundColor: PreviewColor {
    get { output.renderer.look.withLock { $0.backgroundColor } }
    set { output.renderer.look.withLock { $0.backgroundColor = newValue } }
  }
}

// MARK: - Images

extension CaptureVideoPreviewLayer {
  /// Draws the newest frame, on the caller's thread.
  ///
  /// - Parameters:
  ///   - width: The image's width in pixels.
  ///   - height: Its height.
  ///   - last: What is on the screen already; nil to get an image in any case.
  /// - Returns: The image; nil where no camera runs, and where there is no newer frame than the
  ///   last image's.
  /// - Throws: ``CaptureError`` where the frame cannot be shown; the next one may be.
  public func image(
    width: Int, height: Int, after last: PreviewImage? = nil
  ) throws -> PreviewImage? {
    try image(PixelSize(width: width, height: height), after: last)
  }

  /// Draws the newest frame at the layer's own size, ``bounds`` times ``contentsScale``.
  ///
  /// - Parameter last: What is on the screen already; nil to get an image in any case.
  /// - Returns: The image; nil also where the bounds are empty.
  /// - Throws: ``CaptureError`` where the frame cannot be shown; the next one may be.
  public func image(after last: PreviewImage? = nil) throws -> PreviewImage? {
    try image(nil, after: last)
  }

  private func image(_ size: PixelSize?, after last: PreviewImage?) throws -> PreviewImage? {
    guard let (frame, number) = output.newest, number != last?.number,
      let turn = connection?.uprightTurn
    else { return nil }
    do {
      return try output.renderer.image(of: frame, number: number, turn: turn, size: size)
    } catch {
      throw CaptureError.wrapping(error)
    }
  }

  /// Images at the layer's own size, as frames come; the newest one is kept for who is slow.
  ///
  /// Ends when the loop over it does, or when the layer goes. Each loop takes a sequence of its
  /// own.
  public var images: AsyncStream<PreviewImage> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let id = output.addViewer(
        PreviewOutput.Viewer(show: { continuation.yield($0) }, end: { continuation.finish() }))
      continuation.onTermination = { [weak output] _ in output?.removeViewer(id) }
    }
  }

  /// Has a function called with each image at the layer's own size, on a queue of the layer's own.
  ///
  /// While it runs no further image is drawn; then the newest frame's is.
  ///
  /// - Parameter handler: The function, in place of the one set before; nil for none.
  public func setImageHandler(_ handler: (@Sendable (PreviewImage) -> Void)?) {
    let id = handler.map { output.addViewer(PreviewOutput.Viewer(show: $0)) }
    let old = state.withLock { state in
      defer { state.handler = id }
      return state.handler
    }
    if let old { output.removeViewer(old) }
  }

  /// Why an image could not be drawn for ``images`` or the handler, the last time; nil where all
  /// could.
  public var lastError: CaptureError? { output.lastError }
}
