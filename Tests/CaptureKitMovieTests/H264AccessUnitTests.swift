import Testing

@testable import CaptureKitMovie

@Suite(.timeLimit(.minutes(1)))
struct H264AccessUnitTests {
  private static let start: [UInt8] = [0, 0, 0, 1]
  private static let sets: [UInt8] = start + [0x67, 1, 2, 3] + start + [0x68, 4, 5]

  @Test func findsParameterSetsBeforeAKeyFrame() {
    let bytes = Self.start + [9, 16] + Self.sets + [0, 0, 1, 0x65, 9, 9, 9]
    let unit = H264AccessUnit(parsing: bytes.span.bytes)

    #expect(unit.isKey && unit.hasSlice && unit.hasParameterSets)
    #expect(unit.parameterSets(in: bytes.span.bytes) == Self.sets)
  }

  @Test func leavesZerosBeforeAStartCodeOut() {
    let bytes = Self.start + [0x67, 7] + [0, 0] + Self.start + [0x68, 8, 0, 0, 0, 1, 0x41, 1]
    let unit = H264AccessUnit(parsing: bytes.span.bytes)

    #expect(!unit.isKey && unit.hasSlice)
    #expect(
      unit.parameterSets(in: bytes.span.bytes)
        == Self.start + [0x67, 7] + Self.start + [0x68, 8])
  }

  @Test func looksNoFurtherThanToTheFirstSlice() {
    let bytes = Self.start + [0x41, 1] + Self.start + [0x65, 2]

    #expect(!H264AccessUnit(parsing: bytes.span.bytes).isKey)
  }

  @Test(arguments: [[], [0], [0, 0, 1], [1, 2, 3], [0, 0, 1, 0x67], [0, 0, 1, 0x67, 0, 0, 1]])
  func readsWhatIsNoFrame(bytes: [UInt8]) {
    let unit = H264AccessUnit(parsing: bytes.span.bytes)

    #expect(!unit.hasSlice && !unit.hasParameterSets)
    _ = unit.parameterSets(in: bytes.span.bytes)
  }

  @Test func boundsItsSearch() {
    var bytes: [UInt8] = []
    for _ in 0..<1000 { bytes += [0, 0, 1, 0x06] }
    bytes += [0, 0, 1, 0x65, 1]

    #expect(!H264AccessUnit(parsing: bytes.span.bytes).hasSlice)
  }
}
