import Imaging
import Testing

@testable import TerminalPicture

@Suite(.timeLimit(.minutes(1)))
struct PictureCanvasTests {
  @Test func givesCellsTwoPixels() {
    let size = TerminalSize(columns: 80, rows: 24)
    #expect(
      PictureCanvas.halfBlocks(on: size)
        == PictureCanvas(width: 80, height: 48, pixelAspectRatio: 1))
    let narrow = TerminalSize(columns: 80, rows: 24, cell: .init(width: 8, height: 20))
    #expect(PictureCanvas.halfBlocks(on: narrow).pixelAspectRatio == 0.8)
  }

  @Test func keepsTheTerminalsShapeWithFewerPixels() {
    let size = TerminalSize(columns: 100, rows: 30, cell: .init(width: 10, height: 20))
    #expect(
      PictureCanvas.pixels(on: size, atMost: 1_000_000)
        == PictureCanvas(width: 1000, height: 600, pixelAspectRatio: 1))
    for limit in [1, 1000, 14_400, 307_200] {
      let canvas = PictureCanvas.pixels(on: size, atMost: limit)
      #expect(Double(canvas.width * canvas.height) < Double(limit) * 1.1 + 1)
      let seen = Double(canvas.width) * canvas.pixelAspectRatio / Double(canvas.height)
      #expect(abs(seen - 1000.0 / 600) < 1e-9)
    }
  }

  @Test func believesNoCellsThatCannotBe() {
    #expect(TerminalSize.CellSize(width: 0, height: 0) == nil)
    #expect(TerminalSize.CellSize(width: 8, height: 0) == nil)
    #expect(TerminalSize.CellSize(width: 1000, height: 2000) == nil)
    #expect(TerminalSize.CellSize(width: .nan, height: 20) == nil)
    #expect(TerminalSize(columns: 0, rows: -1) == TerminalSize(columns: 1, rows: 1))
  }

  @Test func sendsFewerPixelsOverASlowLine() {
    var pace = PicturePace()
    let first = pace.pixelLimit
    pace.add(.milliseconds(300))
    #expect(pace.pixelLimit == first / 2)
    for _ in 0..<20 { pace.add(.seconds(2)) }
    let least = pace.pixelLimit
    #expect(least > 10_000)
    pace.add(.milliseconds(50))
    #expect(pace.pixelLimit == least)
    for _ in 0..<40 { pace.add(.milliseconds(5)) }
    #expect(pace.pixelLimit == 640 * 480)
  }

  @Test func letsNobodyWaitForAScreenThatIsClosed() async throws {
    let mailbox = PictureMailbox()
    let picture = try HalfBlockEncoderTests.picture(1, 1) { _, _ in .init(red: 1, green: 2, blue: 3)
    }
    async let first = Task.detached { mailbox.deliver(picture) {} }.value
    while true {
      if let delivery = mailbox.take() {
        delivery.finish(shown: true)
        break
      }
      await Task.yield()
    }
    #expect(await first)
    let (woken, waker) = AsyncStream<Void>.makeStream()
    async let second = Task.detached { mailbox.deliver(picture) { waker.yield() } }.value
    for await _ in woken { break }
    mailbox.close()
    #expect(await second == false)
    #expect(!mailbox.deliver(picture) { Issue.record("woken") })
  }
}
