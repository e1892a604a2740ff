/// What a stream is to be started with.
package struct StreamRequest: Hashable, Sendable {
  package var fourcc: FourCC
  /// The driver takes the size that it finds nearest.
  package var size: FrameSize
  /// Nil leaves it as it is.
  package var interval: FrameInterval?
  /// How many buffers to ask for, 1 to 32; the driver may grant another number.
  package var bufferCount: Int

  package init(
    fourcc: FourCC, size: FrameSize, interval: FrameInterval? = nil, bufferCount: Int = 4
  ) {
    self.fourcc = fourcc
    self.size = size
    self.interval = interval
    self.bufferCount = bufferCount
  }
}
