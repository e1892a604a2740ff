import LinuxSystem
import Testing
import Video4Linux

/// The device goes at each possible moment of its use.
@Suite(.timeLimit(.minutes(1)))
struct VanishTests {
  /// Everything that is done with a camera, from the first look to the end.
  private func useEverything(_ kernel: FakeKernel) throws -> Int {
    let node = try VideoNode(path: "/dev/video0", kernel: kernel)
    for format in try node.pixelFormats() {
      guard case .discrete(let sizes) = try node.frameSizes(of: format.fourcc) else { continue }
      for size in sizes {
        _ = try node.frameIntervals(of: format.fourcc, size: size)
      }
    }
    let stream = try VideoStream(node: node)
    var request = StreamRequest.vga
    request.interval = FrameInterval(numerator: 1, denominator: 15)
    _ = try stream.start(request)
    var kept: LeasedFrame?
    var count = 0
    for _ in 0..<6 {
      kept = try stream.frame()
      count += kept == nil ? 0 : 1
    }
    stream.stop()
    #expect(kept.map { $0.withBytes { $0.byteCount } } ?? 0 == 614_400)
    stream.close()
    return count
  }

  private static let callCount: Int = {
    let kernel = FakeKernel()
    _ = try? VanishTests().useEverything(kernel)
    return kernel.callCount
  }()

  @Test func countsTheSteps() {
    #expect(Self.callCount > 60)
  }

  @Test(arguments: [FakeDevice(), deviceWithoutOrphans])
  func isSaidAtOnceAndLeavesNothingBehind(device: FakeDevice) throws {
    for step in 0..<Self.callCount {
      let kernel = FakeKernel(device)
      kernel.vanish(atCall: step)

      var isComplete = false
      let error = error { isComplete = try useEverything(kernel) == 6 }

      if let error {
        #expect([.disconnected, .noDevice].contains(error.code), "step \(step): \(error)")
      } else {
        #expect(isComplete, "step \(step)")
      }
      #expect(kernel.callCount < Self.callCount + 20, "step \(step)")
      #expect(kernel.openCount == 0, "step \(step)")
      #expect(kernel.mappingCount == 0, "step \(step)")
      #expect(kernel.violations == [], "step \(step)")
    }
  }

  private static var deviceWithoutOrphans: FakeDevice {
    var device = FakeDevice()
    device.orphansBuffers = false
    return device
  }

  @Test func isSaidOfTheStreamInTime() throws {
    let kernel = FakeKernel()
    let stream = try VideoStream(kernel)
    _ = try stream.start(.vga)
    _ = try stream.frame()
    let before = kernel.callCount
    kernel.vanish()

    for _ in 0..<3 {
      let error = error { _ = try stream.nextFrame(timeoutMilliseconds: 60_000) }
      #expect(error?.code == .disconnected)
      #expect(error?.description.contains("disconnected") == true)
    }
    #expect(kernel.callCount - before < 12)
    stream.close()
    #expect(kernel.openCount == 0)
  }
}
