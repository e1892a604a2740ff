import Video4Linux

extension CaptureDevice {
  /// Whether another object may stand for another stay of the same physical camera.
  ///
  /// The ids are the same, but for the port: it is part of an id only while several cameras have
  /// one serial number.
  func isSameCamera(as other: CaptureDevice) -> Bool {
    Self.isSameCamera(uniqueID, other.uniqueID)
  }

  static func isSameCamera(_ one: String, _ other: String) -> Bool {
    StableIDs.mayBeSameDevice(one, other)
  }
}
