import Foundation
import ImageCache
import Imaging
import TestSupport

/// What the tests run as a process of its own, to kill it, to run several at once, or where it
/// has to have other rights.
///
///     image-store-worker churn FOLDER SEED         says “ready”, then writes, replaces and deletes
///                                                  until it is killed
///     image-store-worker hammer FOLDER SEED N [LIMIT]
///                                                  does so N times; ends with 1 at a torn picture
///     image-store-worker fill FOLDER [LIMIT]       writes 100 pictures; says how that ended
///     image-store-worker put FOLDER KEY VERSION    writes one picture
///     image-store-worker get FOLDER KEY            says whether it is whole
///     image-store-worker delete FOLDER KEY
///     image-store-worker swell FOLDER MEGABYTES    looks at that much of pictures, all of which it
///                                                  may keep in memory; says what has become of them
@main
enum Main {
  static func main() { Worker.main(run) }

  private static func run(_ words: [String]) throws {
    let (command, folder, rest) = (words[1], words[2], Array(words.dropFirst(3)))
    var disk = ImageStore.DiskOptions()
    disk.durability = .processCrash
    if command == "fill" { disk.maximumByteCount = rest.first.flatMap { Int($0) } }
    if command == "hammer", rest.count > 2 { disk.maximumByteCount = Int(rest[2]) }
    var memory = ImageStore.MemoryOptions()
    if command == "swell" { memory.maximumByteCount = .max }
    let store = try ImageStore(directory: URL(filePath: folder), memory: memory, disk: disk)
    switch (command, rest.count) {
    case ("churn", 1):
      FileHandle.standardOutput.write(Data("ready\n".utf8))
      try churn(store, seed: number(rest[0]), count: .max)
    case ("hammer", 2...): try churn(store, seed: number(rest[0]), count: Int(rest[1]) ?? 0)
    case ("fill", _): try fill(store)
    case ("put", 2):
      let bytes = StoredSample.bytes(key: rest[0], version: number(rest[1]))
      try store.setEncodedData(bytes, forKey: rest[0])
    case ("get", 1):
      let bytes = try store.encodedData(forKey: rest[0])
      print(bytes.map { StoredSample.isWhole($0, key: rest[0]) ? "whole" : "torn" } ?? "none")
    case ("delete", 1): try store.deleteImage(forKey: rest[0])
    case ("swell", 1): try swell(store, megabytes: Int(rest[0]) ?? 0)
    default: exit(64)
    }
  }

  private static func number(_ word: String) -> UInt64 { UInt64(word) ?? 0 }

  private static func churn(_ store: ImageStore, seed: UInt64, count: Int) throws {
    var random = StoredSample.Generator(state: seed)
    for _ in 0..<count {
      let key = StoredSample.keys[Int(random.next() % UInt64(StoredSample.keys.count))]
      switch random.next() % 8 {
      case 0: try store.deleteImage(forKey: key)
      case 1, 2:
        guard let bytes = try store.encodedData(forKey: key) else { continue }
        if !StoredSample.isWhole(bytes, key: key) {
          print("torn: \(key)")
          exit(1)
        }
      default:
        let bytes = StoredSample.bytes(key: key, version: random.next() % 64)
        try store.setEncodedData(bytes, forKey: key)
      }
    }
  }

  /// Says which error came, whether the first picture is there, and whether the one is that did
  /// not fit.
  private static func fill(_ store: ImageStore) throws {
    for number in 0..<100 {
      let key = "picture \(number)"
      do {
        try store.setEncodedData(StoredSample.bytes(key: key, version: 63), forKey: key)
      } catch {
        let first = try store.encodedData(forKey: "picture 0") != nil
        let failed = try store.encodedData(forKey: key) != nil
        print("\(error.code == .noSpace ? "noSpace" : "\(error)") first:\(first) failed:\(failed)")
        return
      }
    }
    print("all last:\(try store.encodedData(forKey: "picture 99") != nil)")
  }

  /// As somebody does who goes through a folder of photographs: one after the other is shown.
  private static func swell(_ store: ImageStore, megabytes: Int) throws {
    guard let layout = PixelLayout(format: .grey, width: 512, height: 512),
      let grey = PixelBuffer(layout: layout, bytes: [UInt8](repeating: 128, count: 512 * 512)),
      let bytes = Image(grey).jpegData(compressionQuality: 0.5)
    else { exit(70) }
    var mostBytes = 0
    for number in 0..<megabytes {
      try store.setImage(Image(bytes), forKey: "\(number)")
      _ = try store.image(forKey: "\(number)")?.pixelBuffer()
      mostBytes = max(mostBytes, store.statistics.memoryByteCount)
      usleep(50_000)
    }
    let statistics = store.statistics
    print("evictions:\(statistics.memoryEvictions) most:\(mostBytes >> 20)")
  }
}
