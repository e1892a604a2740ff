import CaptureKitLinux
import Dispatch
import ExampleSupport
import Foundation

/// `snap stream`: streams, and says how well it goes.
enum StreamCommand {
  static let help = """
    Usage: snap stream [OPTION]…

    Streams until Ctrl-C and sums up: the rate that came of the rate that the camera
    promised, frames dropped by reason, and the latency from when a frame was taken to its
    delivery.

      --stats              figures once a second; on a terminal in one live line
      --frames NUMBER      ends after so many frames
      --duration SECONDS   ends after so long
      --preset PRESET      photo, high, medium, low, 640x480, 1280x720, 1920x1080 or 3840x2160
      --size WIDTHxHEIGHT  one of the sizes of `snap formats`
      --format FORMAT      a four-character code of `snap formats`, or mjpeg
      --convert FORMAT     bgra or nv12: has each frame converted
      --camera ID          an id of `snap devices`, or any node's path
      --simulated          the simulated camera instead of a real one
      --require-camera     fails where there is no camera, instead of simulating one
    """

  static func run(_ arguments: [String]) async throws {
    let options = try Options(
      arguments, flags: StreamOptions.flags, valued: StreamOptions.valued)
    if options.wantsHelp { return print(help) }
    try options.requireOperands(0)
    let wish = try StreamOptions(options)
    let camera = try await CameraWish(options).camera()
    let meter = StreamMeter(wantedFrames: wish.limits.frames)
    let session = try session(with: camera, into: meter, wish)
    let errors = SessionErrors(of: session) { meter.tell(.failed($0)) }
    defer { withExtendedLifetime(errors) {} }

    try await session.start()
    let tick = tick(for: meter)
    let alarm = wish.limits.alarm { meter.tell(.finished) }
    defer { tick.cancel(); alarm?.cancel() }
    let stops = StopSignals { meter.tell(.finished) }
    defer { withExtendedLifetime(stops) {} }
    let failure = try await watch(meter, isLive: wish.wantsStats)
    await session.stop()
    print("\(camera.localizedName): \(summary(of: meter))")
    if let failure { throw failure }
  }

  private static func session(
    with camera: CaptureDevice, into meter: StreamMeter, _ wish: StreamOptions
  ) throws -> CaptureSession {
    let session = CaptureSession()
    try session.add(CaptureDeviceInput(device: camera))
    let video = CaptureVideoDataOutput()
    video.setSampleBufferDelegate(meter, queue: nil)
    if let format = wish.conversion { try video.setVideoSettings(.pixelFormat(format)) }
    try session.add(video)
    if let preset = wish.preset { try session.setSessionPreset(preset) }
    try wish.format.apply(to: camera)
    return session
  }

  /// Asks for a line of figures once a second.
  private static func tick(for meter: StreamMeter) -> any DispatchSourceTimer {
    let tick = DispatchSource.makeTimerSource()
    tick.schedule(deadline: .now() + 1, repeating: 1)
    tick.setEventHandler { meter.tell(.tick) }
    tick.activate()
    return tick
  }

  /// Shows figures until the stream is to end.
  ///
  /// - Returns: Why it ended by itself; nil where it was to end.
  private static func watch(_ meter: StreamMeter, isLive: Bool) async throws -> CaptureError? {
    let line = StatusLine()
    defer { line.finish() }
    for await event in meter.events {
      switch event {
      case .tick where isLive: try line.show(figures(of: meter.takeRecent(), meter.format))
      case .tick: continue
      case .finished: return nil
      case .failed(let error): return error
      }
    }
    return nil
  }

  private static func figures(of figures: StreamFigures, _ format: CaptureFormat?) -> String {
    let name = format.map { "\($0.pixelFormat) \($0.dimensions)" } ?? "no format"
    let promised = format?.frameDuration.map { " of \(decimals($0.framesPerSecond))" } ?? ""
    return "\(name)  \(decimals(figures.rate))\(promised) fps  \(figures.dropped)  \(figures.delay)"
  }

  private static func summary(of meter: StreamMeter) -> String {
    let total = meter.total
    return "\(total.frameCount) frames, \(figures(of: total, meter.format))"
  }

  private static func decimals(_ rate: Double) -> String {
    String(format: "%.2f", rate)
  }
}
