import Testing
import Video4Linux

@Suite(.timeLimit(.minutes(1)))
struct FourCCTests {
  @Test(arguments: [
    (FourCC.yuyv, 0x5659_5559, "YUYV"), (.mjpg, 0x4750_4a4d, "MJPG"), (.grey, 0x5945_5247, "GREY"),
    (FourCC(rawValue: 0x2036_3159), 0x2036_3159, "Y16"),
    (FourCC(rawValue: 0xa036_3159), 0xa036_3159, "Y16-BE"),
    (FourCC(rawValue: 0x0100_3159), 0x0100_3159, "Y1??"),
  ])
  func spellsTheKernelsNumber(fourcc: FourCC, number: UInt32, text: String) {
    #expect(fourcc.rawValue == number)
    #expect(fourcc.description == text)
  }

  @Test func takesTheTwoNamesOfJPEGForOne() {
    #expect(FourCC.mjpg.isEquivalent(to: .jpeg))
    #expect(FourCC.jpeg.isEquivalent(to: .mjpg))
    #expect(FourCC.yuyv.isEquivalent(to: .yuyv))
    #expect(!FourCC.yuyv.isEquivalent(to: .mjpg))
  }
}
