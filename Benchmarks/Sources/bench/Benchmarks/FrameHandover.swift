import CAllocations
import CaptureKitLinux
import Imaging

extension Benchmark {
  /// A frame's way from a backend to an output that does nothing with it.
  static let frameHandover = Benchmark(name: "frame-handover", usualRounds: 40) { rounds in
    try checkTheCounter()
    let small = try await handOver(VideoDimensions(width: 640, height: 480), rounds: rounds)
    let large = try await handOver(VideoDimensions(width: 3840, height: 2160), rounds: rounds)
    var pair = Pair()
    for cost in large.microseconds.values {
      pair.ours.append(cost)
      pair.base.append(budget)
    }
    var result = Measurement(
      pair: pair, unit: "µs", baseName: "a budget of \(Int(budget)) µs a frame", limit: 1)
    result.notes.append(
      "3840x2160; at 640x480 it is \(hundredths(small.microseconds.median)) µs")
    result.check(
      small.strangers == 0 && large.strangers == 0,
      "every frame's bytes lie at the address where the backend keeps them")
    result.check(
      large.allocations <= 1.05 && large.bytes <= 512,
      "heap blocks a frame: \(hundredths(large.allocations)) of"
        + " \(hundredths(large.bytes)) bytes together, at most one small one")
    result.check(
      abs(large.bytes - small.bytes) < 1,
      "they do not grow with the frame: \(hundredths(small.bytes)) bytes at 640x480")
    return result
  }

  private static let budget = 5.0

  /// A counter that counts nothing would find nothing.
  private static func checkTheCounter() throws {
    let before = cb_allocations_now()
    blackHole([UInt8](repeating: 1, count: 1 << 20))
    let bytes = cb_allocations_now().bytes - before.bytes
    guard (1 << 20..<1 << 21).contains(bytes) else {
      throw BenchmarkFailure(
        description: "the heap counter sees \(bytes) bytes of an array of 1 MB")
    }
  }

  private static func handOver(
    _ dimensions: VideoDimensions, rounds: Int
  ) async throws -> HandoverMeter.Findings {
    let backend = try ReadyFrames(dimensions)
    let meter = HandoverMeter(rounds: rounds, addresses: backend.addresses)
    try await CaptureEnvironment(backends: [backend]).run {
      guard let camera = CaptureDevice.default(for: .video) else {
        throw BenchmarkFailure(description: "the benchmark's own camera is not found")
      }
      let session = CaptureSession()
      try session.setSessionPreset(.photo)
      try session.add(CaptureDeviceInput(device: camera))
      try session.add(meter)
      try await session.start()
      for await _ in meter.finished {}
      await session.stop()
    }
    return meter.findings
  }
}
