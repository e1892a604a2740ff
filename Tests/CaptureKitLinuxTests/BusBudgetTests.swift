import Imaging
import Testing

@testable import CaptureKitLinux

/// Room on a link that cameras share.
@Suite(.timeLimit(.minutes(1)))
struct BusBudgetTests {
  private static let vga = VideoDimensions(width: 640, height: 480)
  private static let steps = [1_024_000, 8_192_000, 16_384_000, 24_576_000]

  private static func format(_ pixelFormat: PixelFormat, _ rates: UInt32...) -> CaptureDevice.Format
  {
    CaptureDevice.Format(
      pixelFormat, dimensions: vga,
      frameDurations: rates.compactMap { FrameDuration.framesPerSecond($0) }.map { $0...$0 })
  }

  private func budget(held: Int..., choices: [Int] = [], _ formats: CaptureDevice.Format...)
    -> BusBudget
  {
    let holders = held.map { CaptureBusLoad.Holder(name: "Other at 1-1.1", bandwidth: $0) }
    return BusBudget(
      load: CaptureBusLoad(
        name: "the USB hub at port 1-1", bandwidth: 48_000_000, holders: holders, choices: choices),
      formats: formats)
  }

  private func request(_ pixelFormat: PixelFormat, _ rate: UInt32?) -> CaptureFormat {
    CaptureFormat(
      pixelFormat: pixelFormat, dimensions: Self.vga,
      frameDuration: rate.flatMap { FrameDuration.framesPerSecond($0) })
  }

  @Test func weighsWhatACameraReservesAtLeast() {
    let budget = budget(choices: Self.steps, Self.format(.yuyv, 30, 15))
    // 18.4 MB/s, and the next step.
    #expect(budget.leastWeight(of: request(.yuyv, 30)) == 24_576_000)
    #expect(budget.leastWeight(of: request(.yuyv, 15)) == 16_384_000)
    // The camera decides: the smallest step is possible.
    #expect(budget.leastWeight(of: request(.mjpeg, 30)) == 1_024_000)
    #expect(budget.leastWeight(of: request(.yuyv, nil)) == 16_384_000)
    #expect(budget.leastWeight(of: request(.yuyv, 120)) == 24_576_000)
    let plain = self.budget(Self.format(.yuyv, 30))
    #expect(plain.leastWeight(of: request(.yuyv, 30)) == 18_432_000)
    #expect(plain.leastWeight(of: request(.mjpeg, 30)) == 0)
  }

  @Test func refusesOnlyWhatCannotFit() {
    let steps = Self.steps
    #expect(budget(held: 24_576_000, choices: steps).hasRoom(for: request(.mjpeg, 30)))
    #expect(!budget(held: 24_576_000, choices: steps).hasRoom(for: request(.yuyv, 30)))
    #expect(budget(held: 23_424_000, choices: steps).hasRoom(for: request(.yuyv, 30)))
    #expect(!budget(held: 47_000_000, choices: steps).hasRoom(for: request(.mjpeg, 30)))
    // Alone, or on a link that nobody knows, it is the driver that decides.
    #expect(budget(choices: [90_000_000]).hasRoom(for: request(.yuyv, 30)))
    #expect(BusBudget(load: nil, formats: []).hasRoom(for: request(.yuyv, 30)))
    #expect(budget(held: .max, .max).load?.freeBandwidth == 0)
    #expect(budget(held: -5).load?.freeBandwidth == 48_000_000)
  }

  @Test func saysWhoHoldsWhatAndWhatToDo() {
    let budget = budget(
      held: 24_576_000, choices: Self.steps, Self.format(.yuyv, 30, 15), Self.format(.mjpeg, 30))
    let error = budget.error(for: request(.yuyv, 30), of: "Webcam")
    #expect(error.code == .usbBandwidth && error.errno == nil)
    #expect(
      error.description == """
        There is no room for Webcam on the USB hub at port 1-1: of 48.0 MB/s, 24.6 MB/s are held by \
        Other at 1-1.1, and YUYV 640x480 at 30 frames a second takes 24.6 MB/s at least. Choose \
        MJPG 640x480 at 30 frames a second or YUYV 640x480 at 15 frames a second, or plug the \
        camera into another USB port of the computer, not of the same hub.
        """)
    let driver = CaptureError(.usbBandwidth, "No room.", errno: 28)
    let late = budget.error(for: request(.mjpeg, 30), of: "Webcam", refusal: driver)
    #expect(late.errno == 28 && late.description.contains("quirks=128"))
    #expect(late.description.contains("Stop another camera"))
  }

  @Test func saysNumbersOfAnySize() {
    let load = CaptureBusLoad(
      name: "a link", bandwidth: .max, holders: [.init(name: "A", bandwidth: .max)])
    let sentence = BusBudget(load: load, formats: []).error(for: request(.mjpeg, 30), of: "B")
    #expect(sentence.description.contains("of 9223372036854.8 MB/s"))
    let huge = CaptureFormat(
      pixelFormat: .yuyv, dimensions: VideoDimensions(width: 60_000, height: 60_000),
      frameDuration: FrameDuration(numerator: 1, denominator: .max))
    #expect(BusBudget(load: load, formats: []).leastWeight(of: huge) > 0)
  }

  @Test func addsWhatTheCameraHasToTheDriversOwnWords() {
    let driver = CaptureError(.usbBandwidth, "No room.", errno: 28)
    let known = BusBudget(load: nil, formats: [Self.format(.yuyv, 30), Self.format(.mjpeg, 30)])
    let error = known.error(for: request(.yuyv, 30), of: "Webcam", refusal: driver)
    #expect(
      error.description
        == "No room. Webcam has MJPG 640x480 at 30 frames a second, which takes less.")
    #expect(error.errno == 28)
    let none = BusBudget(load: nil, formats: [Self.format(.mjpeg, 30)])
    #expect(none.error(for: request(.mjpeg, 30), of: "Webcam", refusal: driver) == driver)
  }
}
