extension CaptureVideoDataOutput {
  /// The frames as they come; each loop over it has its own place.
  ///
  /// A loop gets the newest frame that it has not seen: frames that come while its body is busy are
  /// dropped, but the last, and counted in ``droppedFrameCounts``. A loop may begin before the
  /// session starts, and goes on while the session changes cameras or formats. It ends when the
  /// session stops, asked to or not, when the output is removed from it, and when the task is
  /// cancelled; a new loop then waits for the next start.
  public struct Frames: AsyncSequence, Sendable {
    /// A frame in the format of the output's settings.
    public typealias Element = CapturedFrame
    /// Loops do not throw: why a camera ended is told by the session.
    public typealias Failure = Never

    let output: CaptureVideoDataOutput

    /// Begins a loop; frames from now on are for it.
    public func makeAsyncIterator() -> Iterator {
      Iterator(output: output)
    }

    /// One loop's place; not to be shared by tasks.
    public final class Iterator: AsyncIteratorProtocol {
      private let output: CaptureVideoDataOutput
      private let subscription: FrameSubscription<ReceivedFrame>

      init(output: CaptureVideoDataOutput) {
        self.output = output
        subscription = output.subscribe()
      }

      deinit {
        output.unsubscribe(subscription)
      }

      /// The next frame, in the format of the output's settings; nil at the end.
      public func next() async -> CapturedFrame? {
        await subscription.next()?.frame
      }
    }
  }

  /// The frames as they come: the newest, late ones dropped and counted.
  public var frames: Frames { Frames(output: self) }
}
