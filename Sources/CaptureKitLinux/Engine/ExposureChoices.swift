/// What the menu of automatic exposure means; pure.
///
/// Its numbers are 0 automatic, 1 manual, 2 manual time with automatic iris, 3 automatic time with
/// manual iris. Webcams have 1 and 3, other cameras 0 and 1; a few have a boolean of their own
/// meaning.
struct ExposureChoices: Sendable {
  /// The value for a fixed exposure; nil where the camera has none.
  let manual: Int64?
  /// The value for automatic exposure; nil where the camera has none.
  let automatic: Int64?

  /// - Parameter control: The menu; nil for a camera without it, whose exposure is always manual.
  init(_ control: CaptureControl?) {
    guard let control, control.isWritable else {
      (manual, automatic) = (nil, nil)
      return
    }
    func first(of values: [Int64]) -> Int64? {
      let usual = control.defaultValue.map { [$0] } ?? []
      return (usual.filter(values.contains) + values).first { control.accepts(.integer($0)) }
    }
    manual = first(of: [1, 2])
    automatic = first(of: [0, 3])
  }

  static func isAutomatic(_ value: Int64) -> Bool { value == 0 || value == 3 }
}
