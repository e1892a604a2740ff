import CaptureKitLinux
import ExampleSupport
import Foundation
import Synchronization
import TerminalPicture

/// `snap preview`: shows live what a camera sees.
enum PreviewCommand {
  static let help = """
    Usage: snap preview [OPTION]…

    Shows live what a camera sees, over all of the terminal, until q, Escape or Ctrl-C: by
    Kitty's graphics protocol where the terminal has it, else in coloured half blocks.

      --gravity GRAVITY    resizeAspect: all of the picture, bars beside it (default);
                           resizeAspectFill: all of the terminal, the picture cut off;
                           resize: all of both, the picture stretched
      --orientation HOW    how the camera is held: portrait, portrait-upside-down,
                           landscape-right or landscape-left
      --graphics WHAT      auto: asks the terminal (default); kitty; blocks
      --colors WHAT        of half blocks; auto: as COLORTERM and TERM say (default);
                           truecolor; 256
      --stats              says at the end how many frames were shown, of how many, and
                           their bytes
      --frames NUMBER      ends after so many frames
      --duration SECONDS   ends after so long
      --size WIDTHxHEIGHT  one of the sizes of `snap formats`
      --format FORMAT      a four-character code of `snap formats`, or mjpeg
      --camera ID          an id of `snap devices`, or any node's path
      --simulated          the simulated camera instead of a real one
      --require-camera     fails where there is no camera, instead of simulating one
    """

  /// What the command waits for.
  private enum Event {
    case terminal(TerminalEvent)
    /// The frames that were asked for have been shown, or the time is up.
    case finished
    case failed(CaptureError)
  }

  static func run(_ arguments: [String]) async throws {
    let options = try Options(
      arguments, flags: PreviewOptions.flags, valued: PreviewOptions.valued)
    if options.wantsHelp { return print(help) }
    try options.requireOperands(0)
    let wish = try PreviewOptions(options)
    let screen = try screen(wish.picture)
    let camera = try await CameraWish(options).camera()
    let session = CaptureSession()
    try session.add(CaptureDeviceInput(device: camera))
    let layer = CaptureVideoPreviewLayer()
    try layer.setSession(session)
    layer.videoGravity = wish.gravity
    layer.connection?.videoOrientation = wish.orientation
    try wish.format.apply(to: camera)
    let (events, continuation) = AsyncStream<Event>.makeStream()
    let errors = SessionErrors(of: session) { continuation.yield(.failed($0)) }
    defer { withExtendedLifetime(errors) {} }
    try await session.start()
    let start = ContinuousClock.now
    let shown: Result<Void, any Error>
    do {
      shown = .success(try await show(layer, on: screen, wish.limits, events, continuation))
    } catch {
      shown = .failure(error)
    }
    let duration = start.duration(to: .now)
    // In this order: the terminal does not wait for a camera that takes its time.
    screen.close()
    let frames = session.statistics.delivered
    await session.stop()
    if wish.wantsStats {
      print("\(camera.localizedName): \(summary(screen.figures, of: frames, duration))")
    }
    try shown.get()
  }

  private static func screen(_ wish: PictureWish) throws -> TerminalScreen {
    do {
      return try TerminalScreen(wish)
    } catch .notATerminal {
      throw Failure(.usage, "\(TerminalError.notATerminal) In scripts use snap photo or stream.")
    } catch .incapable(let name) {
      throw Failure(.usage, "\(TerminalError.incapable(name: name))")
    } catch {
      throw Failure(.inputOutput, "\(error)")
    }
  }

  /// Shows frames until that is to end.
  private static func show(
    _ layer: CaptureVideoPreviewLayer, on screen: TerminalScreen, _ limits: StreamLimits,
    _ events: AsyncStream<Event>, _ continuation: AsyncStream<Event>.Continuation
  ) async throws {
    do {
      try screen.open { continuation.yield(.terminal($0)) }
    } catch {
      throw Failure(.inputOutput, "\(error)")
    }
    // The layer draws the newest frame when the one before has been shown: a terminal that is slow
    // loses frames, and the camera notices nothing.
    layer.setImageHandler { image in
      guard screen.show(image.pixels), let frames = limits.frames else { return }
      if screen.figures.pictureCount >= frames { continuation.yield(.finished) }
    }
    defer { layer.setImageHandler(nil) }
    let alarm = limits.alarm { continuation.yield(.finished) }
    defer { alarm?.cancel() }
    for await event in events {
      switch event {
      case .terminal(.canvas(let canvas)):
        layer.pixelAspectRatio = canvas.pixelAspectRatio
        layer.bounds = CGRect(x: 0, y: 0, width: canvas.width, height: canvas.height)
      case .terminal(.key(UInt8(ascii: "q"))), .terminal(.key(UInt8(ascii: "Q"))),
        .terminal(.key(3)), .terminal(.escape), .terminal(.stop), .finished:
        return
      case .terminal(.key), .terminal(.motion): continue
      case .terminal(.closed(let number)):
        throw Failure(.inputOutput, "\(TerminalError.failed(errno: number))")
      case .failed(let error): throw error
      }
    }
  }

  private static func summary(
    _ figures: PictureFigures, of frames: UInt64, _ duration: Duration
  ) -> String {
    let seconds = max(duration / .seconds(1), 0.001)
    let rate = String(format: "%.1f", Double(figures.pictureCount) / seconds)
    let bytes = figures.byteCount / max(1, figures.pictureCount)
    return
      "\(figures.pictureCount) of \(frames) frames shown, \(rate) a second, \(bytes) bytes each"
  }
}
