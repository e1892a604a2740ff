import LinuxSystem
import Synchronization
import Testing
import Video4Linux

@Suite(.timeLimit(.minutes(1)))
struct ControlWatchTests {
  private func watch(
    _ kernel: FakeKernel
  ) throws -> (watch: ControlWatch?, events: AsyncStream<ControlEvent>) {
    let node = try VideoNode(path: "/dev/video0", kernel: kernel)
    let (events, continuation) = AsyncStream<ControlEvent>.makeStream()
    let watch = try ControlWatch.start(node, controls: node.controls()) {
      continuation.yield($0)
    } onEnd: {
      continuation.finish()
    }
    return (watch, events)
  }

  private var device: FakeDevice {
    var device = FakeDevice()
    device.controlModels = [.gain, .exposureMode, .exposureTime]
    return device
  }

  @Test func tellsOfWhatTheDeviceChanges() async throws {
    let kernel = FakeKernel(device)
    let (watch, events) = try watch(kernel)
    var iterator = events.makeAsyncIterator()

    kernel.changeControl(0x009a_0901, to: 1)

    let told = [await iterator.next(), await iterator.next()].compactMap { $0 }
    #expect(told.map(\.identifier) == [0x009a_0901, 0x009a_0902])
    #expect(told.map(\.value) == [1, nil])
    #expect(told.map(\.descriptionChanged) == [false, true])
    #expect(told.map(\.flags) == [0, 0])

    watch?.cancel()
    #expect(await iterator.next() == nil)
    #expect(kernel.openCount == 0)
    #expect(kernel.violations == [])
  }

  @Test func tellsOfWhatIsSetElsewhere() async throws {
    let kernel = FakeKernel(device)
    let (watch, events) = try watch(kernel)
    let other = try VideoNode(path: "/dev/video0", kernel: kernel)
    let gain = try #require(try other.describeControl(0x0098_0913))
    try other.setControls([(gain, .number(50))])

    var iterator = events.makeAsyncIterator()
    #expect(await iterator.next()?.value == 50)
    watch?.cancel()
  }

  @Test func endsWhenTheDeviceIsGone() async throws {
    let kernel = FakeKernel(device)
    let (watch, events) = try watch(kernel)
    kernel.vanish()
    for await _ in events { Issue.record("an event of a device that is gone") }
    #expect(watch != nil)
    #expect(kernel.openCount == 0)
  }

  @Test func watchesNothingWhereTheDriverTellsOfNothing() throws {
    var silent = device
    silent.tellsOfControls = false
    let kernel = FakeKernel(silent)
    #expect(try watch(kernel).watch == nil)
    #expect(kernel.openCount == 0)
  }
}
