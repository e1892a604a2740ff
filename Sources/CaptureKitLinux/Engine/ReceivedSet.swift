/// Frames of several cameras that go together, as outputs received them.
struct ReceivedSet: FrameOnItsWay, Sendable {
  struct Member: Sendable {
    let received: ReceivedFrame
    /// Of the frame's output.
    let workshop: FrameWorkshop
  }

  /// One at least.
  let members: [Member]
  let missing: [CaptureConnection]
  /// The leader's.
  let presentationTime: HostTime
  /// Whether it is of no use where a frame of it cannot be converted.
  let isOnlyWhole: Bool

  var source: CaptureConnection { members[0].received.source }
  var needsWork: Bool { members.contains { $0.received.needsWork } }

  func replaces(_ earlier: ReceivedSet) -> Bool { true }

  func drops(_ reason: FrameDropReason) -> [FrameDrop<CaptureConnection>] {
    members.flatMap { $0.received.drops(reason) }
  }
}
