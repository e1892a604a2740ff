import CVideo4Linux

/// What the kernel tells of a node without being asked.
extension v4l2_event {
  /// The source at the input has another form.
  static var sourceChange: v4l2_event {
    var event = v4l2_event()
    event.type = UInt32(V4L2_EVENT_SOURCE_CHANGE)
    event.u.src_change.changes = UInt32(V4L2_EVENT_SRC_CH_RESOLUTION)
    return event
  }

  /// A boolean control has a new value.
  static func newValue(_ value: Bool, of control: UInt32) -> v4l2_event {
    var event = v4l2_event()
    event.type = UInt32(V4L2_EVENT_CTRL)
    event.id = control
    event.u.ctrl.changes = UInt32(V4L2_EVENT_CTRL_CH_VALUE)
    event.u.ctrl.type = V4L2_CTRL_TYPE_BOOLEAN.rawValue
    event.u.ctrl.value = value ? 1 : 0
    return event
  }
}
