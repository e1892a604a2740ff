/// What a fake driver says of one frame, where that is not the usual.
struct FakeFrame: Sendable {
  /// Of every plane; nil is the whole of it.
  var bytesUsed: UInt32?
  var dataOffset: UInt32 = 0
  var hasError = false
  var isLast = false
  /// Added to the usual number: frames that were lost.
  var sequenceGap: UInt32 = 0
  /// Nil is the time at which it was taken.
  var stamp: (seconds: Int, microseconds: Int)?
  /// `V4L2_BUF_FLAG_TIMESTAMP_*` and `…_TSTAMP_SRC_*`; CLOCK_MONOTONIC, end of frame.
  var clockFlags: UInt32 = 0x2000
  /// Instead of the true buffer.
  var claimedIndex: UInt32?
  /// The previous number and stamp again.
  var repeatsLast = false
  /// DQBUF fails with EIO once and the buffer is with nobody.
  var isDropped = false
  /// How long after the one before; nil is the interval.
  var delayNanoseconds: UInt64?
}
