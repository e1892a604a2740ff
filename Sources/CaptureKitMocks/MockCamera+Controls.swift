public import CaptureKitLinux
import Synchronization

extension MockCamera {
  /// The controls that the camera has, ``webcamControls`` at first; setting them gives each its default.
  ///
  /// Exposure time, focus and white balance temperature are inactive while their automatic control is
  /// on, whatever the flags given here say. With manual exposure the test pattern gets brighter and
  /// darker with the exposure time, which its frames then say in their `settings`; at its default it
  /// looks as with automatic exposure. The other controls change no picture.
  public var controls: [CaptureControl] {
    get { state.withLock { $0.controls.list } }
    set { state.withLock { $0.controls = MockControls(newValue) } }
  }

  /// The values that the controls have now.
  public var controlValues: [CaptureControl.ID: CaptureControl.Value] {
    state.withLock { $0.controls.values }
  }

  /// What programs have set, in order, buttons included; what was refused is not in it.
  public var controlSettings: [CaptureControl.Setting] {
    state.withLock { $0.controls.settings }
  }

  /// Changes a control as the camera itself does, a key on its housing or a shutter; whoever watches is
  /// told.
  public func changeControl(_ id: CaptureControl.ID, to value: CaptureControl.Value) {
    state.withLock { $0.controls.change(id, to: value) }
  }

  /// The controls of a usual webcam: exposure in units of 100 microseconds, automatic or by hand; gain,
  /// brightness, white balance, focus, zoom, the power line's frequency, a shutter that can only be read.
  public static let webcamControls: [CaptureControl] = [
    CaptureControl(.brightness, name: "Brightness", range: -64...64, defaultValue: 0),
    CaptureControl(.contrast, name: "Contrast", range: 0...64, defaultValue: 32),
    CaptureControl(
      .automaticWhiteBalance, name: "White Balance, Automatic", kind: .boolean, defaultValue: 1),
    CaptureControl(.gain, name: "Gain", range: 0...100, defaultValue: 10),
    CaptureControl(
      .powerLineFrequency, name: "Power Line Frequency", kind: .menu, range: 0...2, defaultValue: 1,
      menu: [.init(0, "Disabled"), .init(1, "50 Hz"), .init(2, "60 Hz")]),
    CaptureControl(
      .whiteBalanceTemperature, name: "White Balance Temperature", range: 2800...6500, step: 10,
      defaultValue: 4600),
    CaptureControl(
      .automaticExposure, name: "Auto Exposure", kind: .menu, range: 0...3, defaultValue: 3,
      menu: [.init(1, "Manual Mode"), .init(3, "Aperture Priority Mode")]),
    CaptureControl(
      .exposureTime, name: "Exposure Time, Absolute", range: 1...10_000, defaultValue: 156),
    CaptureControl(
      .exposureMayLowerFrameRate, name: "Exposure, Dynamic Framerate", kind: .boolean,
      defaultValue: 0),
    CaptureControl(.focus, name: "Focus, Absolute", range: 0...250, step: 5, defaultValue: 0),
    CaptureControl(
      .automaticFocus, name: "Focus, Automatic Continuous", kind: .boolean, defaultValue: 1),
    CaptureControl(.zoom, name: "Zoom, Absolute", range: 100...400, defaultValue: 100),
    CaptureControl(
      .privacy, name: "Privacy", kind: .boolean, defaultValue: 0, flags: .readOnly),
  ]
}
