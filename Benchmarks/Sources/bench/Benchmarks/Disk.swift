import Foundation
import ImageCache

extension Benchmark {
  /// Keeping a picture with a checksum, beside a temporary file that is renamed.
  static let diskPut = diskPut("disk-put", isDurable: false, rounds: 41, count: 16, limit: 1.3)

  /// The same, and a power loss does not take it.
  static let diskPutDurable = diskPut(
    "disk-put-durable", isDurable: true, rounds: 15, count: 4, limit: 1.1)

  private static func diskPut(
    _ name: String, isDurable: Bool, rounds: Int, count: Int, limit: Double
  ) -> Benchmark {
    Benchmark(name: name, usualRounds: rounds) { rounds in
      let pictures = try StoredPictures(count: max(count, 64), isDurable: isDurable)
      let keys = pictures.keys.prefix(count)
      let paths = keys.map(pictures.plainPath)
      // Half of them are new, half are replaced.
      func cost(_ work: () throws -> Void) rethrows -> Double {
        try isDurable ? waited(for: work) : ProcessorClock.thread.cost(repeating: 1, work)
      }
      let pair = try await Pair.measure(rounds: rounds) {
        for key in keys { try pictures.store.deleteImage(forKey: key) }
        return try cost {
          for key in keys + keys { try pictures.store.setEncodedData(pictures.bytes, forKey: key) }
        } / Double(2 * count)
      } base: {
        for path in paths { try? FileManager.default.removeItem(atPath: path) }
        return try cost { for path in paths + paths { try pictures.putPlainly(path) } }
          / Double(2 * count)
      }
      let all = try ProcessorClock.process.cost(repeating: 1) {
        for key in keys { try pictures.store.setEncodedData(pictures.bytes, forKey: key) }
      }
      var result = Measurement(
        pair: pair, unit: "µs",
        baseName:
          "temporary file\(isDurable ? ", fsync of it and its folder" : "") and rename in C",
        limit: limit)
      result.notes = try OtherStores.notes(pictures, isDurable: isDurable)
      result.notes.append(
        "\(hundredths(all / Double(count))) µs of processor time with the thread that watches the folder"
      )
      result.check(
        try keys.allSatisfy { try pictures.store.encodedData(forKey: $0) == pictures.bytes },
        "each picture is what was kept")
      return result
    }
  }

  /// Reading a picture that is checked, and is in the kernel's memory.
  static let diskGet = Benchmark(name: "disk-get", usualRounds: 61) { rounds in
    let pictures = try StoredPictures(count: 64)
    for key in pictures.keys { try pictures.store.setEncodedData(pictures.bytes, forKey: key) }
    let order = pictures.keys.shuffled()
    let paths = order.map { pictures.store.imageURL(forKey: $0).path }
    var count = 0
    let pair = try await Pair.measure(rounds: rounds) {
      try ProcessorClock.thread.cost(repeating: 1) {
        for key in order { count += try pictures.store.encodedData(forKey: key)?.count ?? 0 }
      } / Double(order.count)
    } base: {
      try ProcessorClock.thread.cost(repeating: 1) {
        for path in paths { try pictures.getPlainly(path) }
      } / Double(order.count)
    }
    var result = Measurement(
      pair: pair, unit: "µs",
      baseName: "open, read, fgetxattr, the same checksum and futimens in C", limit: 1.2)
    result.check(
      count == StoredPictures.byteCount * 64 * (rounds + 1), "each picture was read, whole")
    return result
  }

  /// The first picture of a folder with 50 000.
  static let diskOpen = Benchmark(name: "disk-open", usualRounds: 15) { rounds in
    let pictures = try StoredPictures(count: 50_000)
    let folder = pictures.store.imageURL(forKey: "").deletingLastPathComponent()
    let small = pictures.bytes.prefix(1000)
    for key in pictures.keys { try pictures.store.setEncodedData(small, forKey: key) }
    var options = ImageStore.DiskOptions()
    options.maximumByteCount = 1 << 30
    let pair = try await Pair.measure(rounds: rounds) {
      let key = pictures.keys.randomElement() ?? ""
      var bytes: Data?
      let time = try waited {
        bytes = try ImageStore(directory: folder, disk: options).encodedData(forKey: key)
      }
      guard bytes == small else {
        throw BenchmarkFailure(description: "\(key) is not what was kept")
      }
      return time / 1000
    } base: {
      5
    }
    return Measurement(
      pair: pair, unit: "ms", baseName: "five milliseconds to open 50 000 pictures and read one",
      limit: 1)
  }
}
