import CVideo4Linux
import LinuxSystem

extension VideoNode {
  /// What a driver tells by itself while it streams.
  enum Event: Hashable {
    case sourceChanged
    case privacy(isOn: Bool)
    case other
  }

  /// Asks for the events that matter to a stream.
  /// - Returns: Whether the driver knows any of them.
  func subscribeToStreamEvents() -> Bool {
    let kinds: [(type: UInt32, id: UInt32)] = [
      (UInt32(V4L2_EVENT_SOURCE_CHANGE), 0),
      (UInt32(V4L2_EVENT_CTRL), ck_CID_PRIVACY),
    ]
    return kinds.filter { kind in
      var subscription = v4l2_event_subscription()
      subscription.type = kind.type
      subscription.id = kind.id
      // Most drivers know none; a second subscription is none.
      return (try? call(Request.subscribeEvent, &subscription)) != nil
    }.isEmpty == false
  }

  /// Takes the oldest event; nil where there is none.
  func takeEvent() throws(Errno) -> Event? {
    var event = v4l2_event()
    do {
      try call(Request.dequeueEvent, &event)
    } catch .noEntry {
      return nil
    } catch .again {
      return nil
    }
    switch event.type {
    case UInt32(V4L2_EVENT_SOURCE_CHANGE):
      return ck_event_source_changes(event) & UInt32(V4L2_EVENT_SRC_CH_RESOLUTION) != 0
        ? .sourceChanged : .other
    case UInt32(V4L2_EVENT_CTRL) where event.id == ck_CID_PRIVACY:
      return .privacy(isOn: ck_event_control_value(event) != 0)
    default: return .other
    }
  }

  /// Forgets what was told so far; what is now is asked for.
  func dropEvents() {
    for _ in 0..<Self.eventLimit {
      guard (try? takeEvent()) != nil else { return }
    }
  }

  /// More than drivers keep.
  static let eventLimit = 256

  /// Whether the device's shutter is closed, as far as it says.
  var hasClosedShutter: Bool { control(ck_CID_PRIVACY).map { $0 != 0 } ?? false }

  /// Takes over the timings of the signal that arrives; the format follows from them.
  func adoptTimings(of input: Input) throws(VideoNodeError) {
    var timings = v4l2_dv_timings()
    do {
      try call(Request.queryTimings, &timings)
    } catch {
      switch error {
      case .linkSevered, .noLock, .outOfRange:
        throw .noSignal(path, input: input.name.isEmpty ? nil : input.name, error)
      case .noDevice: throw failure(error, during: .format)
      // Whoever cannot say keeps what is set.
      default: return
      }
    }
    do {
      try call(Request.setTimings, &timings)
    } catch .busy {
      throw failure(.busy, during: .format)
    } catch {}
  }
}
