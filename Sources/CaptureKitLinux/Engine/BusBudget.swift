/// Whether a camera's link has room for its pictures, and what to do where it has none; pure.
///
/// Errs on the side of room: what a camera takes at least is held against what the link can promise
/// at most, so that nothing is refused that could work.
struct BusBudget {
  /// nil where nothing is known of the link.
  let load: CaptureBusLoad?
  /// What the camera offers.
  let formats: [CaptureDevice.Format]

  /// Whether a request may fit beside what others hold.
  func hasRoom(for request: CaptureFormat) -> Bool {
    // A camera that is alone with its link is the negotiator's business, and the driver's.
    guard let load, !load.holders.isEmpty else { return true }
    return leastWeight(of: request) <= load.freeBandwidth
  }

  /// What takes less than a request and may fit, in the order in which it is to be tried.
  func alternatives(to request: CaptureFormat) -> [CaptureFormat] {
    BandwidthLadder.alternatives(to: request, from: formats).filter(hasRoom)
  }

  /// Bytes a second that a request reserves at least.
  func leastWeight(of request: CaptureFormat) -> Int {
    let bytes = BusLoad.byteCount(of: request.pixelFormat, in: request.dimensions)
    let duration =
      request.frameDuration
      ?? formats.first {
        $0.pixelFormat == request.pixelFormat && $0.offers(request.dimensions)
      }?.videoSupportedFrameRateRanges.map(\.maxFrameDuration).max()
    // What compressed pictures weigh is the camera's own decision.
    let needed =
      bytes.flatMap { bytes in
        duration.map { Int(min(Double(bytes) * $0.framesPerSecond, 1e15)) }
      } ?? 0
    guard let choices = load?.choices, let most = choices.max() else { return needed }
    return choices.filter { $0 >= needed }.min() ?? most
  }

  /// Says who has the link, and what there is to do.
  ///
  /// - Parameters:
  ///   - request: What there is no room for.
  ///   - camera: The camera's name.
  ///   - refusal: The driver's error; nil where it was not asked.
  /// - Returns: An error with the code `usbBandwidth`.
  func error(
    for request: CaptureFormat, of camera: String, refusal: CaptureError? = nil
  ) -> CaptureError {
    let ways = alternatives(to: request).map { "\($0)" }.joined(separator: " or ")
    guard let load, !load.holders.isEmpty else {
      let original = refusal ?? CaptureError(.usbBandwidth)
      guard !ways.isEmpty else { return original }
      return CaptureError(
        .usbBandwidth, "\(original) \(camera) has \(ways), which takes less.",
        errno: original.errno)
    }
    let holders = load.holders.map { "\(Self.text($0.bandwidth)) are held by \($0.name)" }
      .joined(separator: ", ")
    let weight = leastWeight(of: request)
    let takes =
      weight == 0 ? "" : ", and \(request) takes \(Self.text(weight)) at least"
    let choose = ways.isEmpty ? "Stop another camera" : "Choose \(ways)"
    let quirk =
      refusal == nil
      ? ""
      : " For cameras that reserve too much, the option quirks=128 of the module uvcvideo can help."
    return CaptureError(
      .usbBandwidth,
      "There is no room for \(camera) on \(load.name): of \(Self.text(load.bandwidth)), "
        + "\(holders)\(takes). \(choose), or plug the camera into another USB port of the "
        + "computer, not of the same hub.\(quirk)", errno: refusal?.errno)
  }

  /// Megabytes a second, to a tenth.
  private static func text(_ bandwidth: Int) -> String {
    let tenths = max(0, bandwidth) / 100_000 + (max(0, bandwidth) % 100_000 >= 50_000 ? 1 : 0)
    return "\(tenths / 10).\(tenths % 10) MB/s"
  }
}
