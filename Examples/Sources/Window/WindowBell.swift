import CSDL2
import Synchronization

/// Wakes the thread that waits for a window's events; may be used from any thread, for as long as
/// the program runs.
public final class WindowBell: Sendable {
  private let isRung = Atomic(false)

  init() {}

  /// Rings. Until the window has heard of it, ringing again changes nothing.
  public func ring() {
    guard !isRung.exchange(true, ordering: .acquiringAndReleasing) else { return }
    var event = SDL_Event()
    event.type = SDL_USEREVENT.rawValue
    // A queue that is full has events enough to wake somebody.
    if SDL_PushEvent(&event) != 1 { answer() }
  }

  func answer() { isRung.store(false, ordering: .releasing) }
}
