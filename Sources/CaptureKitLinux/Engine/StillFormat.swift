import Imaging

/// Chooses the format of a still that is larger than the stream's pictures; pure.
enum StillFormat {
  /// The largest picture that a camera can give within a bound.
  ///
  /// - Parameters:
  ///   - formats: What the camera offers.
  ///   - stream: What it streams.
  ///   - bound: What neither side may be longer than.
  /// - Returns: nil where nothing is larger than the stream's pictures. Of formats of the same size
  ///   JPEG, which comes with less loss than it is encoded with here, then what need not be
  ///   converted, then the fastest.
  static func choose(
    from formats: [CaptureDevice.Format], beyond stream: VideoDimensions,
    atMost bound: VideoDimensions
  ) -> CaptureFormat? {
    formats.filter(\.isReadable)
      .compactMap { format in
        format.largest(within: bound).flatMap { format.narrowed(to: $0) }
      }
      .filter { $0.maximumDimensions.pixelCount > stream.pixelCount }
      .min { rank($0).lexicographicallyPrecedes(rank($1)) }?
      .request()
  }

  /// Numbers by which formats are compared, the smallest first.
  private static func rank(_ format: CaptureDevice.Format) -> [Double] {
    [
      -Double(format.maximumDimensions.pixelCount), format.pixelFormat.isJPEG ? 0 : 1,
      format.conversion == nil ? 0 : 1,
      format.minFrameDuration?.seconds ?? 0,
    ]
  }
}

extension CaptureDevice.Format {
  /// The format's own largest size within a bound; nil where its smallest is larger.
  fileprivate func largest(within bound: VideoDimensions) -> VideoDimensions? {
    func side(_ bound: Int, _ low: Int, _ high: Int, _ step: Int) -> Int? {
      bound < low ? nil : low + (min(bound, high) - low) / step * step
    }
    guard
      let width = side(
        bound.width, minimumDimensions.width, maximumDimensions.width, dimensionsStep.width),
      let height = side(
        bound.height, minimumDimensions.height, maximumDimensions.height, dimensionsStep.height)
    else { return nil }
    return VideoDimensions(width: width, height: height)
  }
}
