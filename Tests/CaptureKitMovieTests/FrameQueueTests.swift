import Testing

@testable import CaptureKitMovie

@Suite(.timeLimit(.minutes(1)))
struct FrameQueueTests {
  private typealias Queue = FrameQueue<Int, String>

  @Test func handsTheFirstFrameOverAsItIsAndCopiesThoseThatWait() {
    var queue = Queue()

    let verdict1 = queue.admit(10, isIdle: true)
    #expect(verdict1 == .asItIs)
    queue.append(1, byteCount: 10)
    let verdict2 = queue.admit(10, isIdle: true)
    #expect(verdict2 == .copied)
    queue.append(2, byteCount: 10)
    _ = queue.next()
    _ = queue.next()
    let verdict3 = queue.admit(10, isIdle: false)
    #expect(verdict3 == .copied)
  }

  @Test func refusesWhatIsBeyondItsBounds() {
    var queue = Queue(frameLimit: 3, byteLimit: 100)

    let verdict4 = queue.admit(60, isIdle: false)
    #expect(verdict4 == .copied)
    let verdict5 = queue.admit(60, isIdle: false)
    #expect(verdict5 == .refused)
    let verdict6 = queue.admit(40, isIdle: false)
    #expect(verdict6 == .copied)
    let verdict7 = queue.admit(0, isIdle: false)
    #expect(verdict7 == .copied)
    let verdict8 = queue.admit(0, isIdle: false)
    #expect(verdict8 == .refused)
    #expect(queue.byteCount == 100)
  }

  /// Else a frame larger than all bounds would never be recorded.
  @Test func takesALargeFrameThatDoesNotWait() {
    var queue = Queue(frameLimit: 3, byteLimit: 100)

    let verdict9 = queue.admit(1000, isIdle: true)
    #expect(verdict9 == .asItIs)
  }

  @Test func keepsFramesAndOrdersInTheirOrder() {
    var queue = Queue()
    var seen: [String] = []
    for number in 0..<300 {
      _ = queue.admit(1, isIdle: false)
      queue.append(number, byteCount: 1)
      queue.append("\(number)")
      if number % 3 == 0, let item = queue.next() { seen.append(Self.text(item)) }
    }
    while let item = queue.next() { seen.append(Self.text(item)) }

    #expect(queue.isEmpty && queue.byteCount == queue.frameCount)
    let frames = seen.filter { $0.hasPrefix("f") }.compactMap { Int($0.dropFirst()) }
    #expect(frames == Array(0..<frames.count))
    #expect(seen.count == frames.count + 300)
  }

  private static func text(_ item: Queue.Item) -> String {
    switch item {
    case .frame(let number, _): "f\(number)"
    case .order(let order): order
    }
  }
}
