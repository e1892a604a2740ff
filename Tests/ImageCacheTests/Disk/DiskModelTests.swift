import Foundation
import TestSupport
import Testing

@testable import ImageCache

@Suite(.timeLimit(.minutes(1)))
struct DiskModelTests {
  /// Random calls, and a dictionary that says what they must answer.
  @Test(arguments: DiskTierTests.ways, [1, 2, 3] as [UInt64])
  func behavesLikeADictionary(usesAttributes: Bool, seed: UInt64) throws {
    let folder = try TemporaryFolder()
    func open() throws -> DiskTier {
      try DiskTier(url: folder.url, options: .fast, usesAttributes: usesAttributes)
    }
    var random = StoredSample.Generator(state: seed)
    var tiers = [try open(), try open()]
    var model: [String: Data] = [:]
    let keys = StoredSample.keys + ["\u{E9}", "e\u{301}", "KEY 1", "."]

    for _ in 0..<500 {
      let key = keys[Int(random.next() % UInt64(keys.count))]
      let tier = tiers[Int(random.next() % 2)]
      switch random.next() % 32 {
      case 0..<12:
        let bytes = StoredSample.bytes(key: key, version: random.next() % 8)
        try tier.write(bytes, forKey: key)
        model[key] = bytes
      case 12..<24: #expect(try tier.read(forKey: key)?.bytes == model[key])
      case 24..<28:
        #expect(try tier.delete(forKey: key) == (model[key] != nil))
        model[key] = nil
      case 28: #expect(try Set(tier.keys()) == Set(model.keys))
      case 29: tiers = [try open(), try open()]
      case 30: #expect((tier.stamp(forKey: key) != nil) == (model[key] != nil))
      default:
        guard random.next() % 8 == 0 else { continue }
        try tier.removeAll()
        model = [:]
      }
    }

    for (key, bytes) in model { #expect(try tiers[0].read(forKey: key)?.bytes == bytes) }
    #expect(try Set(tiers[0].keys()) == Set(model.keys))
    #expect(tiers.allSatisfy { $0.statistics.verificationFailures == 0 })
  }

  /// The same keys from several threads: what is read is whole and somebody's.
  @Test(arguments: DiskTierTests.ways)
  func staysWholeBetweenThreads(usesAttributes: Bool) async throws {
    let folder = try TemporaryFolder()
    let tiers = try (0..<2).map { _ in
      try DiskTier(url: folder.url, options: .fast, usesAttributes: usesAttributes)
    }

    try await withThrowingTaskGroup(of: Void.self) { group in
      for seed in 0..<4 as Range<UInt64> {
        group.addTask {
          var random = StoredSample.Generator(state: seed)
          for _ in 0..<150 {
            let key = StoredSample.keys[Int(random.next() % 6) * 5]
            let tier = tiers[Int(random.next() % 2)]
            switch random.next() % 4 {
            case 0: try tier.delete(forKey: key)
            case 1:
              let bytes = StoredSample.bytes(key: key, version: random.next() % 16)
              try tier.write(bytes, forKey: key)
            default:
              let bytes = try tier.read(forKey: key)?.bytes
              #expect(bytes.map { StoredSample.isWhole($0, key: key) } != false)
            }
          }
        }
      }
      try await group.waitForAll()
    }

    #expect(tiers.allSatisfy { $0.statistics.verificationFailures == 0 })
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: tiers[0].layout.unfinished) == [])
  }
}
