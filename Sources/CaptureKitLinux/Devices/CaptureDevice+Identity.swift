import Video4Linux

extension CaptureDevice {
  /// Whether two ids may be those of two stays of the same physical camera.
  ///
  /// The ids are the same, but for the port: it is part of an id only while several cameras have
  /// one serial number.
  static func isSameCamera(_ one: String, _ other: String) -> Bool {
    StableIDs.mayBeSameDevice(one, other)
  }
}
