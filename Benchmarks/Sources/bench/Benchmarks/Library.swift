import CaptureKitLibrary
import Foundation
import Imaging

extension Benchmark {
  /// The first page of a library of 100 000 pictures, from opening it on: with the index of the
  /// last time, and without one.
  static let library100k = Benchmark(name: "library-100k", usualRounds: 15) { rounds in
    let stored = try StoredLibrary(100_000)
    let cold = try await stored.firstPage(cache: "cold")
    let settling = ContinuousClock.now
    try await cold.library.settled()
    let settled = settling.duration(to: .now) / .milliseconds(1)
    let newest = try await cold.library.assets(range: 0..<100)
    // What is kept is written at rest, within a second or two.
    try await stored.waitForIndex("cold")

    var page: [PhotoLibrary.Asset] = []
    var settledAgain = Samples()
    let pair = try await Pair.measure(rounds: rounds) {
      let opened = try await stored.firstPage(cache: "cold")
      page = opened.page
      let start = ContinuousClock.now
      try await opened.library.settled()
      settledAgain.append(start.duration(to: .now) / .milliseconds(1))
      return opened.milliseconds
    } base: {
      50
    }
    var result = Measurement(pair: pair, unit: "ms", baseName: "the budget", limit: 1)
    result.notes = [
      "without an index: \(hundredths(cold.milliseconds)) ms until the first page, by file date",
      "then \(hundredths(settled)) ms until all pictures have been asked for their dates",
      "with one: \(hundredths(settledAgain.median)) ms until all files have been compared",
    ]
    result.check(page == newest, "the first page is that of the settled order")
    result.check(
      zip(newest, newest.dropFirst()).allSatisfy { $0.captureDate >= $1.captureDate },
      "the newest are first")
    result.check(page.count == 100 && !page.contains(where: \.isDateFromFile), "all have dates")
    return result
  }
}

/// Folders of pictures: a few hundred of different dates, each under many names.
private struct StoredLibrary {
  let folder: ScratchFolder
  private var pictures: URL { folder.url.appending(path: "pictures") }

  init(_ count: Int) throws {
    folder = try ScratchFolder()
    let files = FileManager.default
    let layout = try Self.layout()
    for number in 0..<count {
      let album = pictures.appending(path: "album \(number / 1000)")
      let first = album.appending(path: "first.jpg")
      guard number % 1000 > 0 else {
        try files.createDirectory(at: album, withIntermediateDirectories: true)
        var metadata = ImageMetadata()
        metadata.dateTaken = Date(timeIntervalSince1970: Double(number) * 997)
        let pixels = PixelBuffer(
          layout: layout, bytes: [UInt8](repeating: 99, count: layout.byteCount(ofBlock: 0)))
        guard let pixels else { throw BenchmarkFailure(description: "no pixels") }
        try JPEGEncoder().encode(pixels, metadata: metadata).write(to: first)
        continue
      }
      guard link(first.path, album.appending(path: "\(number).jpg").path) == 0 else {
        throw BenchmarkFailure(description: "no link: errno \(errno)")
      }
    }
  }

  private static func layout() throws -> PixelLayout {
    guard let layout = PixelLayout(format: .bgra, width: 320, height: 240) else {
      throw BenchmarkFailure(description: "no layout")
    }
    return layout
  }

  func firstPage(
    cache: String
  ) async throws -> (library: PhotoLibrary, page: [PhotoLibrary.Asset], milliseconds: Double) {
    let start = ContinuousClock.now
    let library = try PhotoLibrary(
      folders: [pictures], cacheDirectory: folder.url.appending(path: cache))
    let page = try await library.assets(range: 0..<100)
    return (library, page, start.duration(to: .now) / .milliseconds(1))
  }

  /// Waits until the index has stopped growing.
  func waitForIndex(_ cache: String) async throws {
    var size = -1
    for _ in 0..<60 {
      try await Task.sleep(for: .seconds(1))
      let names = try FileManager.default.contentsOfDirectory(
        atPath: folder.url.appending(path: cache).path)
      let sizes = try names.filter { $0.contains("sqlite") }.map {
        try FileManager.default.attributesOfItem(
          atPath: folder.url.appending(path: cache).appending(path: $0).path)[.size] as? Int ?? 0
      }
      let now = sizes.reduce(0, +)
      if now > 0, now == size { return }
      size = now
    }
  }
}
