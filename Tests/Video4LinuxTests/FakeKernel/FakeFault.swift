import LinuxSystem

/// One failure in a script.
struct FakeFault: Sendable {
  let call: FakeCall
  let errno: Errno
  /// Which of the calls of its kind fail, the first being 0; nil for every one.
  let occurrences: Range<Int>?

  static func every(_ call: FakeCall, _ errno: Errno) -> FakeFault {
    FakeFault(call: call, errno: errno, occurrences: nil)
  }

  static func once(_ call: FakeCall, _ errno: Errno, at occurrence: Int = 0) -> FakeFault {
    FakeFault(call: call, errno: errno, occurrences: occurrence..<occurrence + 1)
  }

  static func times(_ count: Int, _ call: FakeCall, _ errno: Errno, at first: Int = 0) -> FakeFault
  {
    FakeFault(call: call, errno: errno, occurrences: first..<first + count)
  }
}
