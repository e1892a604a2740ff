// The code of the article “Writing a capture backend”; a test compares the two.

import CaptureKitLinux
import Dispatch
import Foundation
import Imaging
import Synchronization

struct Doorbell: Sendable {
  let name: String
  let snapshot: @Sendable () throws -> Data
  var id: String { "doorbell-\(name)" }
}

struct Doorbells: CaptureBackend {
  let doorbells: [Doorbell]

  func devices() async throws -> [CaptureDeviceDescription] {
    doorbells.map { doorbell in
      let size = VideoDimensions(width: 640, height: 480)
      var description = CaptureDeviceDescription(
        uniqueID: doorbell.id, localizedName: doorbell.name,
        formats: [CaptureDevice.Format(.mjpeg, dimensions: size)])
      description.position = .front
      return description
    }
  }

  func open(_ device: CaptureDeviceDescription) throws -> any CaptureStream {
    guard let doorbell = doorbells.first(where: { $0.id == device.uniqueID }) else {
      throw CaptureError(.disconnected, "\(device.localizedName) is gone: look at its power.")
    }
    return DoorbellStream(doorbell)
  }
}

final class DoorbellStream: CaptureStream {
  private struct State {
    var format: CaptureFormat?
    var sequence: UInt64 = 0
    var isInterrupted = false
  }

  private let doorbell: Doorbell
  private let state = Mutex(State())
  private let bell = DispatchSemaphore(value: 0)

  init(_ doorbell: Doorbell) {
    self.doorbell = doorbell
  }

  func start(_ format: CaptureFormat) throws {
    state.withLock { $0 = State(format: format) }
  }

  func nextFrame(before deadline: ContinuousClock.Instant) throws -> CapturedFrame? {
    let pause = min(.milliseconds(100), ContinuousClock.now.duration(to: deadline))
    _ = bell.wait(timeout: .now() + .nanoseconds(Int(pause / .nanoseconds(1))))
    let next = state.withLock { state -> (format: CaptureFormat, sequence: UInt64)? in
      defer { state.isInterrupted = false }
      guard !state.isInterrupted, let format = state.format else { return nil }
      state.sequence += 1
      return (format, state.sequence)
    }
    guard let next else { return nil }

    let askedAt = HostTime.now
    let picture: Data
    do {
      picture = try doorbell.snapshot()
    } catch {
      throw CaptureError(.disconnected, "\(doorbell.name) does not answer: \(error)")
    }
    return CapturedFrame(
      jpeg: picture, dimensions: next.format.dimensions, sequence: next.sequence,
      timestamp: FrameTimestamp(askedAt, .startOfExposure))
  }

  func interrupt() {
    state.withLock { $0.isInterrupted = true }
    bell.signal()
  }

  func stop() {
    state.withLock { $0.format = nil }
  }
}
