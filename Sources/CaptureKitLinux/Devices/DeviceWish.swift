/// Which cameras fit a wish for kinds and a position; pure.
struct DeviceWish {
  var types: [CaptureDevice.DeviceType]
  var position: CaptureDevice.Position
  var matching: CaptureDevice.Matching

  /// The candidates that fit, those of more wished kinds first, else in their own order.
  func choose<Candidate>(
    from candidates: [Candidate], by description: (Candidate) -> CaptureDeviceDescription
  ) -> [Candidate] {
    let placed = candidates.filter {
      fitsPosition(description($0), among: candidates.map(description))
    }
    let exact = types.flatMap { type in placed.filter { description($0).deviceType == type } }
    guard matching == .generous, exact.isEmpty, types.contains(.builtInWideAngleCamera) else {
      return exact
    }
    return placed.filter { description($0).deviceType == .external }
  }

  private func fitsPosition(
    _ candidate: CaptureDeviceDescription, among all: [CaptureDeviceDescription]
  ) -> Bool {
    if position == .unspecified || candidate.position == position { return true }
    return matching == .generous && all.allSatisfy { $0.position == .unspecified }
  }
}
