import CaptureKitMocks
import Dispatch
import Foundation
import Imaging
import Synchronization
import Testing

@testable import CaptureKitLinux

/// The delegate's and the closure's form, frame by frame.
@Suite(.timeLimit(.minutes(1)))
struct CaptureVideoDataOutputTests {
  private static let key = DispatchSpecificKey<String>()

  @Test func callsTheDelegateOnItsQueueInOrder() async throws {
    let bench = try await VideoBench()
    let queue = DispatchQueue(label: "frames", attributes: .concurrent)
    queue.setSpecific(key: Self.key, value: "frames")
    let places = Mutex<Set<String?>>([])
    let recorder = VideoRecorder {
      places.withLock { _ = $0.insert(DispatchQueue.getSpecific(key: Self.key)) }
    }
    bench.video.alwaysDiscardsLateVideoFrames = false
    bench.video.setSampleBufferDelegate(recorder, queue: queue)

    for number in 0...9 as ClosedRange<UInt64> {
      try bench.send(number...number)
      _ = await recorder.events(Int(number) + 1)
    }

    #expect(recorder.events == (0...9).map { .frame($0) })
    #expect(places.withLock { $0 } == ["frames"])
    #expect(bench.video.sampleBufferDelegate === recorder)
    #expect(bench.video.sampleBufferCallbackQueue === queue)
  }

  @Test func keepsTheNewestForABusyDelegateAndTellsOfTheOthers() async throws {
    let bench = try await VideoBench()
    let recorder = VideoRecorder(isHeldUp: true)
    bench.video.setSampleBufferDelegate(recorder, queue: nil)
    try bench.send(0...0)
    _ = await recorder.events(1)

    try bench.send(1...3)
    recorder.letGo()

    #expect(
      await recorder.events(4) == [.frame(0), .drop(.late), .drop(.late), .frame(3)])
    #expect(bench.video.droppedFrameCounts == [.late: 2])
    recorder.letGo()
  }

  @Test func letsAFewFramesWaitWhereNoneIsToBeDropped() async throws {
    let bench = try await VideoBench()
    let recorder = VideoRecorder(isHeldUp: true)
    bench.video.alwaysDiscardsLateVideoFrames = false
    bench.video.setSampleBufferDelegate(recorder, queue: nil)
    try bench.send(0...0)
    _ = await recorder.events(1)

    try bench.send(1...6)
    for _ in 0...4 { recorder.letGo() }

    let expected: [VideoRecorder.Event] =
      (0...4).map { .frame($0) } + [.drop(.outOfBuffers), .drop(.outOfBuffers)]
    #expect(await recorder.events(7) == expected)
  }

  @Test func replacesTheDelegateBetweenTwoFrames() async throws {
    let bench = try await VideoBench()
    let old = VideoRecorder(isHeldUp: true)
    let new = VideoRecorder()
    bench.video.setSampleBufferDelegate(old, queue: DispatchQueue(label: "old"))
    try bench.send(0...0)
    _ = await old.events(1)
    try bench.send(1...1)

    bench.video.setSampleBufferDelegate(new, queue: DispatchQueue(label: "new"))
    try bench.send(2...2)
    #expect(new.events.isEmpty)
    old.letGo()

    #expect(await new.events(2) == [.drop(.late), .frame(2)])
    #expect(old.events == [.frame(0)])
  }

  @Test func doesNotWaitForTheQueueOfADelegateThatWasReplaced() async throws {
    let bench = try await VideoBench()
    let blocked = DispatchQueue(label: "blocked")
    blocked.suspend()
    let old = VideoRecorder()
    let new = VideoRecorder()
    bench.video.setSampleBufferDelegate(old, queue: blocked)
    try bench.send(0...0)

    bench.video.setSampleBufferDelegate(new, queue: nil)

    #expect(await new.events(1) == [.frame(0)])
    blocked.resume()
    blocked.sync {}
    #expect(old.events.isEmpty)
  }

  @Test func doesNotKeepItsDelegate() async throws {
    let bench = try await VideoBench()
    var recorder: VideoRecorder? = VideoRecorder()
    bench.video.setSampleBufferDelegate(recorder, queue: nil)
    weak let kept = recorder

    recorder = nil

    #expect(kept == nil && bench.video.sampleBufferDelegate == nil)
    try bench.send(0...1)
  }

  @Test func tellsTheDelegateWhatTheSessionDropped() async throws {
    let bench = try await VideoBench()
    let recorder = VideoRecorder()
    bench.video.setSampleBufferDelegate(recorder, queue: nil)

    bench.video.connection(bench.connection, didDrop: DroppedFrame(.lost, count: 2))
    bench.video.connection(bench.connection, didDrop: DroppedFrame(.discontinuity))

    #expect(
      await recorder.events(3) == [.drop(.lost), .drop(.lost), .drop(.discontinuity)])
    #expect(bench.video.droppedFrameCounts == [.lost: 2, .discontinuity: 1])
  }

  @Test func callsAClosureUntilItIsTakenAway() async throws {
    let bench = try await VideoBench()
    let (numbers, continuation) = AsyncStream<UInt64>.makeStream()
    bench.video.setFrameHandler { continuation.yield($0.sequence) }
    var iterator = numbers.makeAsyncIterator()

    try bench.send(7...7)
    #expect(await iterator.next() == 7)
    bench.video.setFrameHandler(nil)
    try bench.send(8...8)
    continuation.finish()
    #expect(await iterator.next() == nil)
  }
}
