extension CaptureDevice {
  /// The clock that the device's frames are stamped by.
  package var clock: any CaptureClock { environment.clock }
}
