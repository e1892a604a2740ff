import Foundation

extension Benchmark {
  /// The private memory that a thumbnail of a file takes while it is made, beside a bound.
  static let thumbMemory = Benchmark(name: "thumb-memory", usualRounds: 3) { rounds in
    let folder = try ScratchFolder()
    let photographs = try Photographs()
    let large = photographs.tiled(3)
    let files: [(name: String, data: Data, limit: Double)] = [
      ("108 MP baseline", try large.jpeg(quality: 90), 4),
      ("12 MP baseline", try photographs.jpeg(), 4),
      ("12 MP progressive", try photographs.jpeg(isProgressive: true), 40),
    ]
    var paths: [String] = []
    for (index, file) in files.enumerated() {
      paths.append(try folder.write([UInt8](file.data), to: "\(index).jpg"))
    }
    var growths = files.map { _ in Samples() }
    for _ in 0..<rounds {
      for index in files.indices { growths[index].append(try growth(paths[index])) }
    }
    let first = growths[0]
    var result = Measurement(
      pair: Pair(ours: first, base: Samples(first.values.map { _ in files[0].limit })),
      unit: "MB", baseName: "what a thumbnail of a 108 MP file may take", limit: 1)
    for (file, growth) in zip(files, growths) {
      result.check(
        growth.percentile(100) <= file.limit,
        "\(file.name), \(file.data.count) bytes: \(hundredths(growth.percentile(100))) MB of private"
          + " memory at most; at most \(hundredths(file.limit))")
    }
    return result
  }

  /// Memory that is freed is not given back to the kernel, so that what the program has at its end is the most that
  /// it had.
  private static func growth(_ path: String) throws -> Double {
    let output = try Program.output(of: [
      "/usr/bin/env", "MALLOC_TRIM_THRESHOLD_=1000000000000", "MALLOC_MMAP_MAX_=0",
      try Program.ours("thumbnail-memory"), path,
    ])
    guard let kilobytes = Double(output.trimmingCharacters(in: .whitespacesAndNewlines)) else {
      throw BenchmarkFailure(description: "thumbnail-memory says \(output)")
    }
    return kilobytes / 1024
  }
}
