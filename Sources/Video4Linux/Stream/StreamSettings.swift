/// What a stream runs with, as the driver has settled it.
package struct StreamSettings: Hashable, Sendable {
  package let format: VideoFormat
  /// From frame to frame; nil where the driver does not know.
  package let interval: FrameInterval?
  /// How many buffers there are.
  package let bufferCount: Int
}
