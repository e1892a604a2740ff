import CVideo4Linux
import LinuxSystem

extension VideoNode {
  /// Asks to be told of a control's changes, those made over this node too.
  /// - Returns: Whether the driver will tell.
  func subscribe(toControl identifier: UInt32) -> Bool {
    var subscription = v4l2_event_subscription()
    subscription.type = UInt32(V4L2_EVENT_CTRL)
    subscription.id = identifier
    subscription.flags = UInt32(V4L2_EVENT_SUB_FL_ALLOW_FEEDBACK)
    return (try? call(Request.subscribeEvent, &subscription)) != nil
  }

  /// Takes the oldest change that was told; nil where there is none.
  func takeControlEvent() throws(Errno) -> ControlEvent? {
    var event = v4l2_event()
    do {
      try call(Request.dequeueEvent, &event)
    } catch .noEntry {
      return nil
    } catch .again {
      return nil
    }
    let change = ck_control_change_read(event)
    let type = ControlType(rawValue: change.type)
    let hasValue = change.changes & UInt32(V4L2_EVENT_CTRL_CH_VALUE) != 0 && type.isNumber
    let value = type == .bitmask ? Int64(UInt32(truncatingIfNeeded: change.value)) : change.value
    return ControlEvent(
      identifier: event.id, value: hasValue ? value : nil,
      descriptionChanged: change.changes & ~UInt32(V4L2_EVENT_CTRL_CH_VALUE) != 0,
      flags: change.flags)
  }
}
