import Imaging
import Testing

@testable import CaptureKitLinux

@Suite(.timeLimit(.minutes(1)))
struct CaptureErrorTests {
  @Test(arguments: [
    (ImagingError.Code.corrupt, CaptureError.Code.corruptFrame), (.incomplete, .corruptFrame),
    (.unsupported, .unsupportedFormat), (.tooLarge, .cannotEncode),
    (.invalidMetadata, .cannotEncode),
  ])
  func tellsDamageFromWhatCannotBeEncoded(imaging: ImagingError.Code, code: CaptureError.Code) {
    let error = CaptureError.wrapping(ImagingError(imaging, "A sentence.", errno: 5))

    #expect(error.code == code)
    #expect(error.description == "A sentence." && error.errno == 5)
  }
}
