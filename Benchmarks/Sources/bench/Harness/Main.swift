import Foundation

@main
enum Bench {
  /// Exit codes as in sysexits: 0 all pass, 1 a miss, 64 usage, 69 asked for and not to be had here.
  static func main() async {
    do throws(UsageError) {
      let options = try CommandLineOptions(Array(CommandLine.arguments.dropFirst()))
      exit(await run(try selected(options.names), options))
    } catch {
      FileHandle.standardError.write(Data("bench: \(error)\n".utf8))
      exit(64)
    }
  }

  private static func selected(_ names: [String]) throws(UsageError) -> [Benchmark] {
    if let unknown = names.first(where: { name in !allBenchmarks.contains { $0.name == name } }) {
      throw UsageError("there is no benchmark \(unknown)")
    }
    return names.isEmpty ? allBenchmarks : allBenchmarks.filter { names.contains($0.name) }
  }

  /// Several benchmarks have a process each: what one leaves behind, threads and the state of the
  /// allocator, would be measured with the next one.
  private static func run(_ benchmarks: [Benchmark], _ options: CommandLineOptions) async -> Int32 {
    let report = Report(asJSON: options.asJSON)
    if options.hasHeading { report.begin() }
    if benchmarks.count == 1 { return await run(benchmarks[0], options, report) }
    var status: Int32 = 0
    for benchmark in benchmarks {
      do {
        var found = try Program.status(
          of: [try Program.ours("bench")] + options.words(for: benchmark.name))
        // Nobody has asked for it by its name.
        if found == 69, options.names.isEmpty { found = 0 }
        status = max(status, found)
      } catch {
        report.add(benchmark.name, "FAILED", error)
        status = max(status, 1)
      }
    }
    return status
  }

  private static func run(
    _ benchmark: Benchmark, _ options: CommandLineOptions, _ report: Report
  ) async -> Int32 {
    do {
      let measurement = try await benchmark.run(options.rounds ?? benchmark.usualRounds)
      report.add(benchmark.name, measurement)
      return measurement.passes ? 0 : 1
    } catch let reason as Unavailable {
      report.add(benchmark.name, "skipped", reason)
      return 69
    } catch {
      report.add(benchmark.name, "FAILED", error)
      return 1
    }
  }
}
