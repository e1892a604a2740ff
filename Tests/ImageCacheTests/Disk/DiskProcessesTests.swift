import Foundation
import TestSupport
import Testing

@testable import ImageCache

/// What only several processes, or one with other rights, can show.
@Suite(.timeLimit(.minutes(3)), .serialized)
struct DiskProcessesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Two hundred processes, four at a time, each killed somewhere in a write, a replacement or a
  /// deletion.
  @Test func loseNothingWhenTheyAreKilled() throws {
    var random = StoredSample.Generator(state: 11)
    let tier = try DiskTier(url: folder.url, options: .fast)
    var wereWritten = Set<String>()
    for round in 0..<50 {
      let workers = try (0..<4).map { number in
        try Worker.start([Worker.path, "churn", folder.path, "\(round * 4 + number)"])
      }
      for worker in workers {
        // They write from then on.
        _ = worker.output.fileHandleForReading.readData(ofLength: 6)
        usleep(UInt32(random.next() % 8000))
        kill(worker.process.processIdentifier, SIGKILL)
      }
      for worker in workers {
        let result = try Worker.wait(for: worker)
        #expect(result == Worker.Result(text: "", status: SIGKILL))
      }
      for key in StoredSample.keys {
        guard let bytes = try tier.read(forKey: key)?.bytes else { continue }
        wereWritten.insert(key)
        #expect(StoredSample.isWhole(bytes, key: key), "\(key) after \(round)")
      }
    }
    // None was called damaged, and nothing is left.
    #expect(tier.statistics.verificationFailures == 0)
    #expect(wereWritten.count == StoredSample.keys.count)
    tier.sweepLeftovers(olderThan: 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: tier.layout.unfinished) == [])
  }

  @Test(arguments: [nil, "300000"])
  func stayWholeOnOneFolder(limit: String?) throws {
    let workers = try (0..<4).map { number in
      try Worker.start(
        [Worker.path, "hammer", folder.path, "\(number)", "400"] + [limit].compactMap { $0 })
    }

    for worker in workers {
      #expect(try Worker.wait(for: worker) == Worker.Result(text: "", status: 0))
    }

    let tier = try DiskTier(url: folder.url, options: .fast)
    var byteCount = 0
    for key in try tier.keys() {
      let bytes = try #require(try tier.read(forKey: key)?.bytes)
      #expect(StoredSample.isWhole(bytes, key: key))
      byteCount += bytes.count
    }
    #expect(byteCount > 100_000)
    if let limit { #expect(byteCount <= Int(limit) ?? 0) }
    #expect(tier.statistics.verificationFailures == 0)
    let path = folder.path("probe")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    #expect(try Worker.run("put", path, "bike", "3").status == 0)
    #expect(try Worker.run("get", path, "bike") == Worker.Result(text: "whole", status: 0))
  }

  @Test(.enabled(if: Worker.canMount, "needs a user who may mount file systems"))
  func sayThatTheDiskIsFull() throws {
    let command =
      "mount -t tmpfs -o size=1m tmpfs '\(folder.path)'; '\(Worker.path)' fill '\(folder.path)'"

    let result = try Worker.runMounting(command + "; find '\(folder.path)' -size 0 -name '*.jpg'")

    #expect(result == Worker.Result(text: "noSpace first:true failed:false", status: 0))
  }

  @Test(.enabled(if: Worker.canMount, "needs a user who may mount file systems"))
  func makeRoomOnAFullDiskWhereTheOptionsLetThem() throws {
    let command =
      "mount -t tmpfs -o size=1m tmpfs '\(folder.path)'; '\(Worker.path)' fill '\(folder.path)'"

    #expect(
      try Worker.runMounting(command + " 100000000")
        == Worker.Result(text: "all last:true", status: 0))
  }

  @Test(.enabled(if: Worker.canMount, "needs a user who may mount file systems"))
  func readWhereNothingCanBeWritten() throws {
    let path = folder.path
    _ = try Worker.run("put", path, "bike", "3")
    try FileManager.default.copyItem(
      atPath: folder.path("bike.jpg"), toPath: folder.path("old.jpg"))
    let command =
      "mount --bind '\(path)' '\(path)'; mount -o remount,bind,ro '\(path)'; '\(Worker.path)' "

    #expect(
      try Worker.runMounting(command + "get '\(path)' bike")
        == Worker.Result(text: "whole", status: 0))
    for words in ["put '\(path)' bike 4", "put '\(path)' new 4", "delete '\(path)' bike"] {
      let result = try Worker.runMounting(command + words + " || true")
      #expect(result.text.contains("Read-only file system"), "\(result.text)")
    }
    #expect(try Worker.run("get", path, "bike").text == "whole")
  }

  /// The file system has no extended attributes at all.
  @Test(.enabled(if: Worker.canMount, "needs a user who may mount file systems"))
  func checkPicturesAlsoWhereFilesHaveNoAttributes() throws {
    let (path, worker) = (folder.path, Worker.path)
    let result = try Worker.runMounting(
      """
      mount -t ramfs ramfs '\(path)'
      '\(worker)' put '\(path)' bike 3
      '\(worker)' get '\(path)' bike
      '\(worker)' hammer '\(path)' 5 100
      '\(worker)' put '\(path)' bike 3
      printf X | dd of='\(path)/bike.jpg' bs=1 seek=100 conv=notrunc status=none
      '\(worker)' get '\(path)' bike
      """)

    #expect(result == Worker.Result(text: "whole\nnone", status: 0))
  }

  /// With what it has started, which has the pipe to the test open too.
  @Test func areKilledWhenTheyHang() throws {
    let start = ContinuousClock.now
    let worker = try Worker.start(["/bin/sh", "-c", "sleep 60 & sleep 60"], within: 0.1)

    #expect(throws: OverdueWorker.self) { try Worker.wait(for: worker) }
    #expect(ContinuousClock.now - start < .seconds(30))
  }
}
