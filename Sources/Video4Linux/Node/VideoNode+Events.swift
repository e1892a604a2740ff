import CVideo4Linux
import LinuxSystem

extension VideoNode {
  /// What a driver tells by itself.
  enum Event: Hashable {
    case sourceChanged
    case controlChanged(ControlEvent)
    case other
  }

  /// More than drivers keep.
  static let eventLimit = 256

  /// Asks to be told when the signal at the input changes.
  /// - Returns: Whether the driver will tell.
  func subscribeToSource() -> Bool {
    subscribe(to: UInt32(V4L2_EVENT_SOURCE_CHANGE))
  }

  /// Asks to be told of a control's changes.
  /// - Parameters:
  ///   - identifier: The control's.
  ///   - includesOwn: Whether of those that are made over this node, too.
  /// - Returns: Whether the driver will tell.
  func subscribe(toControl identifier: UInt32, includesOwn: Bool) -> Bool {
    subscribe(
      to: UInt32(V4L2_EVENT_CTRL), of: identifier,
      flags: includesOwn ? UInt32(V4L2_EVENT_SUB_FL_ALLOW_FEEDBACK) : 0)
  }

  /// Most drivers know few events; a second subscription is none.
  private func subscribe(to type: UInt32, of identifier: UInt32 = 0, flags: UInt32 = 0) -> Bool {
    var subscription = v4l2_event_subscription()
    subscription.type = type
    subscription.id = identifier
    subscription.flags = flags
    return (try? call(Request.subscribeEvent, &subscription)) != nil
  }

  /// Takes the oldest event that was told; nil where there is none.
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
    case UInt32(V4L2_EVENT_CTRL): return .controlChanged(ControlEvent(event))
    default: return .other
    }
  }

  /// Forgets what was told so far; what is now is asked for.
  func dropEvents() {
    for _ in 0..<Self.eventLimit {
      guard (try? takeEvent()) != nil else { return }
    }
  }
}

extension ControlEvent {
  fileprivate init(_ event: v4l2_event) {
    let change = ck_control_change_read(event)
    let type = ControlType(rawValue: change.type)
    let hasValue = change.changes & UInt32(V4L2_EVENT_CTRL_CH_VALUE) != 0 && type.isNumber
    let value = type == .bitmask ? Int64(UInt32(truncatingIfNeeded: change.value)) : change.value
    self.init(
      identifier: event.id, value: hasValue ? value : nil,
      descriptionChanged: change.changes & ~UInt32(V4L2_EVENT_CTRL_CH_VALUE) != 0,
      flags: change.flags)
  }
}
