import CaptureKitLinux
import CaptureKitMocks
import Imaging

@testable import Selfies

/// A controller, its two simulated cameras, and what it says.
struct Booth: Sendable {
  let front = MockCamera(
    name: "Front", position: .front, frames: .testPattern(.mjpeg, width: 640, height: 480))
  let back = MockCamera(
    name: "Back", position: .back, frames: .testPattern(.mjpeg, width: 640, height: 480))
  let orientation = ManualDeviceOrientation()
  let controller: SelfieCaptureController
  let outcomes: Outcomes
  private let events: AsyncStream<SelfieCaptureController.Event>

  /// Counts the calls of the completion handler.
  actor Outcomes {
    private(set) var count = 0
    private var waiting: CheckedContinuation<Image?, Never>?
    private var image: Image?

    func take(_ image: Image?) {
      count += 1
      self.image = image
      waiting?.resume(returning: image)
      waiting = nil
    }

    func next() async -> Image? {
      if count > 0 { return image }
      return await withCheckedContinuation { waiting = $0 }
    }
  }

  /// - Parameter prepare: What happens to the front and the back camera first.
  init(_ prepare: (MockCamera, MockCamera) -> Void = { _, _ in }) {
    prepare(front, back)
    let (events, continuation) = AsyncStream<SelfieCaptureController.Event>.makeStream()
    let outcomes = Outcomes()
    (self.events, self.outcomes) = (events, outcomes)
    controller = SelfieCaptureController(
      environment: CaptureEnvironment(backends: [MockBackend(cameras: [back, front])]),
      orientation: orientation, onEvent: { continuation.yield($0) },
      completion: { image in Task { await outcomes.take(image) } })
  }

  /// Waits for the completion handler.
  func outcome() async -> Image? { await outcomes.next() }

  /// Waits for an event.
  func event(
    where isMeant: (SelfieCaptureController.Event) -> Bool
  ) async -> SelfieCaptureController.Event? {
    for await event in events where isMeant(event) { return event }
    return nil
  }

  /// Waits until a camera's preview runs.
  func isReady(with camera: String) async -> Bool {
    await event { $0 == .status(.ready(camera: camera)) } != nil
  }

  /// Waits for a sentence that says why there is no preview.
  func complaint() async -> String? {
    for await event in events {
      if case .status(.unavailable(let sentence)) = event { return sentence }
    }
    return nil
  }
}
