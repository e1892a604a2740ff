import CBaselines
import Foundation
import Glibc
import ImageCache

/// Pictures of 100 kB, and the ways to keep them that are held against each other.
final class StoredPictures {
  static let byteCount = 100_000

  /// On a disk: what is in memory needs no waiting.
  let folder: URL
  let store: ImageStore
  let bytes: Data
  let keys: [String]
  private let plainFolder: String
  private let isDurable: Bool
  private var memory = [UInt8](repeating: 0, count: StoredPictures.byteCount + 4096)
  private var plainCount = 0

  init(count: Int, isDurable: Bool = false) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "bench-\(UUID().uuidString)")
    plainFolder = folder.appending(path: "plain").path
    try FileManager.default.createDirectory(
      atPath: plainFolder, withIntermediateDirectories: true)
    var options = ImageStore.DiskOptions()
    options.durability = isDurable ? .powerLoss : .processCrash
    store = try ImageStore(directory: folder.appending(path: "ours"), disk: options)
    self.isDurable = isDurable
    var random = SystemRandomNumberGenerator()
    bytes =
      Data([0xFF, 0xD8, 0xFF])
      + (3..<Self.byteCount).map { _ in UInt8.random(in: 0...255, using: &random) }
    keys = (0..<count).map { _ in UUID().uuidString }
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// The same file names as ours, so that the folders are alike.
  func plainPath(_ key: String) -> String {
    plainFolder + "/" + store.imageURL(forKey: key).lastPathComponent
  }

  /// A temporary file that takes the place of the picture's, in C.
  func putPlainly(_ path: String) throws {
    plainCount += 1
    let temporary = "\(plainFolder)/.\(plainCount)"
    let result = bytes.withUnsafeBytes {
      cb_disk_put(plainFolder, temporary, path, $0.baseAddress, $0.count, isDurable ? 1 : 0)
    }
    guard result == 0 else { throw BenchmarkFailure(description: "C could not write \(path)") }
  }

  /// One of our files, read and checked in C.
  func getPlainly(_ path: String) throws {
    let count = memory.withUnsafeMutableBytes {
      cb_disk_get(path, "user.capturekit.checksum", $0.baseAddress, $0.count)
    }
    guard count == Self.byteCount else {
      throw BenchmarkFailure(description: "C read \(count) bytes of \(path)")
    }
  }
}

/// The ways to keep pictures that people use today.
enum OtherStores {
  /// What the work costs for each of the keys: the median of three rounds.
  private static func median(_ keys: [String], _ work: (String) throws -> Void) rethrows -> Double {
    var samples = Samples()
    for _ in 0..<3 {
      samples.append(try waited { for key in keys { try work(key) } } / Double(keys.count))
    }
    return samples.median
  }

  /// Notes of what a picture costs in microseconds of waiting, to keep and to read.
  static func notes(_ pictures: StoredPictures, isDurable: Bool) throws -> [String] {
    let keys = Array(pictures.keys.prefix(64))
    let database = pictures.folder.appending(path: "blobs").path
    guard let blobs = cb_blobs_open(database, isDurable ? 1 : 0) else {
      throw BenchmarkFailure(description: "SQLite cannot open \(database)")
    }
    defer { cb_blobs_close(blobs) }
    var memory = [UInt8](repeating: 0, count: StoredPictures.byteCount)
    let put = median(keys) { key in
      _ = pictures.bytes.withUnsafeBytes { cb_blobs_put(blobs, key, $0.baseAddress, $0.count) }
    }
    let get = median(keys) { cb_blobs_get(blobs, $0, &memory, memory.count) }
    var notes = [
      "SQLite's blobs: \(hundredths(put)) µs to keep one, \(hundredths(get)) µs to read one"
    ]
    if !isDurable {
      let folder = pictures.folder.appending(path: "foundation")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let urls = Dictionary(uniqueKeysWithValues: keys.map { ($0, folder.appending(path: $0)) })
      let put = try median(keys) { key in
        if let url = urls[key] { try pictures.bytes.write(to: url, options: .atomic) }
      }
      let get = try median(keys) { key in
        if let url = urls[key] { blackHole(try Data(contentsOf: url)) }
      }
      notes.append(
        "Data.write(.atomic): \(hundredths(put)) µs to keep one, \(hundredths(get)) µs to read one"
          + " without a check")
      notes.append(diskcache(in: pictures.folder))
    }
    return notes
  }

  private static func diskcache(in folder: URL) -> String {
    let script = """
      import sys, os, time, statistics, diskcache
      cache = diskcache.Cache(sys.argv[1], size_limit=1 << 40)
      picture = os.urandom(100000)
      def median(work):
        rounds = []
        for _ in range(3):
          start = time.perf_counter()
          for key in range(64): work(key)
          rounds.append((time.perf_counter() - start) / 64 * 1e6)
        return statistics.median(rounds)
      print("%.2f µs to keep one, %.2f µs to read one" %
        (median(lambda key: cache.set(key, picture)), median(cache.get)))
      """
    do {
      let python = try Program.installed("python3", packages: "python3")
      let path = folder.appending(path: "diskcache").path
      return "Python's diskcache: "
        + (try Program.output(of: [python, "-c", script, path]))
        .trimmingCharacters(in: .whitespacesAndNewlines)
    } catch {
      return "Python's diskcache is not installed (pip install diskcache)"
    }
  }
}
