import CaptureKitLinux

/// The controls by which vivid is told to fail.
enum VividKnob: UInt32 {
  /// 0 the current timings, 1 no signal, 4 the timings that `dv_timings` says: 640x480 until set.
  case signalMode = 0x00f0_f03e
  /// Of the frames, in percent.
  case droppedBuffers = 0x00f0_f040
  /// The next frame is damaged.
  case bufferError = 0x00f0_f042
  /// The next REQBUFS fails.
  case requestError = 0x00f0_f043
  /// The next STREAMON fails.
  case startError = 0x00f0_f045
  /// The stream that runs ends with an error.
  case fatalError = 0x00f0_f046
}

extension CaptureDevice {
  /// Turns one of vivid's knobs, while it streams or not.
  func turn(_ knob: VividKnob, to value: CaptureControl.Value = 1) throws {
    try lockForConfiguration()
    defer { unlockForConfiguration() }
    try setValue(value, for: CaptureControl.ID(rawValue: knob.rawValue))
  }
}
