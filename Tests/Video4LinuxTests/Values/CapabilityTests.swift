import Testing
import Video4Linux

@Suite(.timeLimit(.minutes(1)))
struct CapabilityTests {
  @Test(
    arguments: [
      ([.videoCapture, .streaming], nil),
      ([.videoCaptureMultiplanar, .streaming], nil),
      ([.videoCapture, .videoOutput, .streaming], nil),
      ([.metadataCapture, .streaming], "metadata"),
      ([.videoOutput, .streaming], "shows pictures"),
      ([.memoryToMemory, .streaming], "converts"),
      (
        [
          .videoCaptureMultiplanar, .videoOutputMultiplanar, .memoryToMemoryMultiplanar, .streaming,
        ], "converts"
      ),
      ([.videoCapture, .touch, .streaming], "touch"),
      ([.videoCapture, .readWrite], "read()"),
      ([], "does not capture"),
    ] as [(Capability.Flags, String?)])
  func saysWhyPicturesCannotBeTaken(flags: Capability.Flags, objection: String?) {
    let capability = Capability(driver: "", card: "", busInfo: "", flags: flags)
    if let objection {
      #expect(capability.objection?.contains(objection) == true)
    } else {
      #expect(capability.objection == nil)
    }
  }

  @Test func prefersTheSimpleWayOfPlanes() {
    func isMultiplanar(_ flags: Capability.Flags) -> Bool {
      Capability(driver: "", card: "", busInfo: "", flags: flags).isMultiplanar
    }
    #expect(isMultiplanar([.videoCaptureMultiplanar]))
    #expect(!isMultiplanar([.videoCapture, .videoCaptureMultiplanar]))
    #expect(!isMultiplanar([.videoCapture]))
  }
}
