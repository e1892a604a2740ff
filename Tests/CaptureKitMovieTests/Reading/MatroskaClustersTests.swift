import Testing

@testable import CaptureKitMovie

@Suite(.timeLimit(.minutes(1)))
struct MatroskaClustersTests {
  private static let mark: [UInt8] = [0x1F, 0x43, 0xB6, 0x75]

  private func clusters(_ bytes: [UInt8]) -> MatroskaClusters {
    MatroskaClusters(byteCount: bytes.count) { Array(bytes.dropFirst($0).prefix($1)) }
  }

  /// Clusters of some lengths, their times a thousand apart.
  private func movie(_ lengths: [Int]) -> (bytes: [UInt8], places: [Int]) {
    var bytes = [UInt8](repeating: 7, count: 500)
    var places: [Int] = []
    for (index, length) in lengths.enumerated() {
      places.append(bytes.count)
      let time = index * 1000
      bytes += Self.mark + [0x01, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xE7, 0x83]
      bytes += [UInt8(time >> 16), UInt8(time >> 8 & 255), UInt8(time & 255)]
      // Frames have such bytes too now and then.
      bytes += [UInt8](repeating: 0x1F, count: length) + Self.mark + [0x81, 0xA3]
    }
    return (bytes, places)
  }

  @Test func findsTheLastOneNotAfterATime() {
    let (bytes, places) = movie([10, 300_000, 5, 70_000, 262_144, 1, 90, 200_000])
    let clusters = clusters(bytes)

    for (index, place) in places.enumerated() {
      let expected = MatroskaClusters.Cluster(offset: place, time: Int64(index * 1000))
      #expect(clusters.last(notAfter: Int64(index * 1000)) == expected)
      #expect(clusters.last(notAfter: Int64(index * 1000 + 999)) == expected)
    }
    #expect(clusters.last(notAfter: -1) == nil)
    #expect(clusters.last?.offset == places.last)
  }

  @Test func findsNothingElsewhere() {
    #expect(clusters([]).last == nil)
    #expect(clusters([UInt8](repeating: 0, count: 1 << 20)).last == nil)
    #expect(clusters(Self.mark).last == nil)
    #expect(clusters(Self.mark + [0x00, 0xE7, 0x81, 1]).last == nil)
    #expect(clusters(Self.mark + [0x81, 0xE7, 0x89, 1, 1, 1, 1, 1, 1, 1, 1, 1]).last == nil)
    #expect(clusters(Self.mark + [0x81, 0xE7, 0x88, 255, 1, 1, 1, 1, 1, 1, 1]).last == nil)
    #expect(clusters(Self.mark + [0x81, 0xE7, 0x81]).last == nil)
    #expect(clusters(Self.mark + [0x81, 0xE7, 0x81, 9]).last?.time == 9)
    #expect(clusters(Self.mark + [0x81, 0xBF, 0x84, 1, 2, 3, 4, 0xE7, 0x81, 9]).last?.time == 9)
  }

  @Test func readsWhereTheIndexIs() {
    let mark: [UInt8] = [0x53, 0xAB, 0x84, 0x1C, 0x53, 0xBB, 0x6B, 0x53, 0xAC]

    #expect(MatroskaClusters.indexPlace(in: [1, 2, 3] + mark + [0x82, 1, 2, 0]) == 258)
    #expect(
      MatroskaClusters.indexPlace(in: mark + [0x88] + [UInt8](repeating: 255, count: 8)) == .max)
    #expect(MatroskaClusters.indexPlace(in: mark + [0x82, 1]) == nil)
    #expect(MatroskaClusters.indexPlace(in: mark) == nil)
    #expect(MatroskaClusters.indexPlace(in: []) == nil)
  }
}
