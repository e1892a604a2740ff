import CaptureKitLinux
import Dispatch
import Synchronization

/// One opened simulated camera: waits, and makes the frames; what happens when is the camera's state.
final class MockStream: CaptureStream {
  private struct Delivery {
    let requested: CaptureFormat
    let format: CaptureFormat
    let source: any FrameSource
    let bus: MockBus?
  }

  private let camera: MockCamera
  private let pace: MockPace
  private let wake = DispatchSemaphore(value: 0)
  private let id: Int
  private let delivery = Mutex<Delivery?>(nil)

  init(camera: MockCamera, pace: MockPace) throws {
    if let failure = camera.supply.failure { throw failure }
    self.camera = camera
    self.pace = pace
    let (wake, now) = (wake, pace.now)
    id = try camera.state.withLock {
      try $0.open(wake: wake, queueLimit: pace.queueLimit, now: now)
    }
  }

  deinit {
    delivery.withLock { $0?.bus }?.release(self)
    camera.state.withLock { $0.close(id) }
  }

  func start(_ format: CaptureFormat) throws {
    let delivered = try camera.state.withLock { try $0.deliveredFormat(id, for: format) }
    let source = try camera.supply.source(for: delivered)
    let bus = camera.bus
    try bus?.take(delivered, for: camera, self)
    // Asked again, since another stream may have started while the source was made.
    let now = pace.now
    do {
      try camera.state.withLock {
        _ = try $0.deliveredFormat(id, for: format)
        $0.start(id, delivering: delivered, now: now)
      }
    } catch {
      bus?.release(self)
      throw error
    }
    delivery.withLock {
      $0 = Delivery(requested: format, format: delivered, source: source, bus: bus)
    }
  }

  var deliveredFormat: CaptureFormat? {
    delivery.withLock { $0.flatMap { $0.format == $0.requested ? nil : $0.format } }
  }

  func nextFrame(before deadline: ContinuousClock.Instant) throws -> CapturedFrame? {
    while true {
      let now = pace.now
      let (step, sleepers) = try camera.state.withLock { try $0.step(id, now: now) }
      if !sleepers.isEmpty { camera.wake(after: sleepers) }
      switch step {
      case .frame(let request, let faults): return try frame(for: request, faults)
      case .interrupted: return nil
      case .wait(let moment):
        let rest = ContinuousClock.now.duration(to: deadline)
        guard rest > .zero else { return nil }
        pace.wait(for: wake, until: moment, atMost: rest)
      }
    }
  }

  func interrupt() {
    camera.state.withLock { $0.interrupt(id) }
    wake.signal()
  }

  func stop() {
    camera.state.withLock { $0.stop(id) }
    let ended = delivery.withLock { delivery in
      defer { delivery = nil }
      return delivery
    }
    ended?.bus?.release(self)
    wake.signal()
  }

  private func frame(
    for request: MockFrameRequest, _ faults: FrameFaults
  ) throws -> CapturedFrame {
    guard let source = delivery.withLock({ $0?.source }) else {
      throw CaptureError(.notRunning)
    }
    do {
      var frame =
        faults.contains(.black)
        ? try source.blackFrame(for: request) : try source.frame(for: request)
      frame = frame.applying(faults)
      frame.settings = frame.settings ?? request.settings
      return frame
    } catch let error as CaptureError {
      throw error
    } catch {
      throw CaptureError(.backendFailed, "\(camera.name) has no frame: \(error)")
    }
  }
}
