/// The picture sizes of a pixel format, in the way in which the driver describes them.
package enum FrameSizes: Hashable, Sendable {
  /// Just these; empty where the driver does not say.
  case discrete([FrameSize])
  /// All within a range that lie on its steps.
  case stepwise(FrameSizeRange)
  /// All within a range.
  case continuous(FrameSizeRange)
}

extension FrameSizeRange {
  /// The largest size that lies on the steps.
  package var last: FrameSize { nearest(to: maximum) }
}
