import CVideo4Linux
import LinuxSystem
import Testing
import Video4Linux

/// What a driver tells by itself, and what is asked before a start.
@Suite(.timeLimit(.minutes(1)))
struct SourceChangeTests {
  private func hdmi(_ change: (inout FakeDevice) -> Void = { _ in }) -> FakeDevice {
    var device = FakeDevice()
    device.hasEvents = true
    device.inputs = [.init(name: "HDMI 1", status: 0, hasTimings: true)]
    change(&device)
    return device
  }

  @Test func tellsThatTheSourceHasChanged() throws {
    let kernel = FakeKernel(hdmi())
    let stream = try VideoStream(kernel)
    _ = try stream.start(.vga)
    #expect(try stream.nextFrame(timeoutMilliseconds: 1000).kind == "frame")

    kernel.changeSource()
    #expect(try stream.nextFrame(timeoutMilliseconds: 1000).kind == "sourceChanged")
    stream.stop()
    _ = try stream.start(.vga)

    #expect(try stream.nextFrame(timeoutMilliseconds: 1000).kind == "frame")
    #expect(kernel.count(.setTimings) == 2)
    stream.close()
    expectNothingLeft(of: kernel)
  }

  @Test func forgetsWhatWasToldBeforeTheStart() throws {
    let kernel = FakeKernel(hdmi())
    let stream = try VideoStream(kernel)
    _ = try stream.start(.vga)
    stream.stop()
    kernel.changeSource()
    _ = try stream.start(.vga)
    #expect(try stream.nextFrame(timeoutMilliseconds: 1000).kind == "frame")
  }

  @Test func tellsThatTheShutterWasClosed() throws {
    let kernel = FakeKernel(hdmi())
    let stream = try VideoStream(kernel)
    _ = try stream.start(.vga)

    kernel.setShutter(isClosed: true)
    #expect(try stream.nextFrame(timeoutMilliseconds: 1000).kind == "privacyShutterClosed")
    stream.stop()
    #expect(code { _ = try stream.start(.vga) } == .privacyShutter)
    kernel.setShutter(isClosed: false)
    _ = try stream.start(.vga)
    #expect(try stream.nextFrame(timeoutMilliseconds: 1000).kind == "frame")
  }

  @Test(arguments: [Errno.linkSevered, .noLock, .outOfRange])
  func takesASignalWithoutTimingsForNone(errno: Errno) throws {
    let kernel = FakeKernel(hdmi { $0.timingsError = errno })
    let stream = try VideoStream(kernel)
    #expect(code { _ = try stream.start(.vga) } == .noSignal)
    #expect(kernel.count(.streamOn) == 0)
  }

  @Test(arguments: [Errno.notSupported, .invalidArgument, .inputOutput])
  func startsWhereNobodyKnowsTheTimings(errno: Errno) throws {
    let stream = try VideoStream(FakeKernel(hdmi { $0.timingsError = errno }))
    _ = try stream.start(.vga)
    #expect(try stream.nextFrame(timeoutMilliseconds: 1000).kind == "frame")
  }

  @Test func asksForNoEventsOfADriverThatHasNone() throws {
    let kernel = FakeKernel()
    let stream = try VideoStream(kernel)
    _ = try stream.start(.vga)
    #expect(try stream.nextFrame(timeoutMilliseconds: 1000).kind == "frame")
    #expect(kernel.count(.dequeueEvent) == 0)
  }

  @Test(arguments: [Errno.inputOutput, .notSupported, .noEntry])
  func survivesEventsThatCannotBeRead(errno: Errno) throws {
    let kernel = FakeKernel(hdmi())
    let stream = try VideoStream(kernel)
    _ = try stream.start(.vga)
    kernel.add(.times(3, .dequeueEvent, errno, at: kernel.count(.dequeueEvent)))
    kernel.changeSource()
    #expect(try stream.nextFrame(timeoutMilliseconds: 1000).kind == "sourceChanged")
  }
}
