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

  private static func run(_ benchmarks: [Benchmark], _ options: CommandLineOptions) async -> Int32 {
    let report = Report(asJSON: options.asJSON)
    report.begin()
    var status: Int32 = 0
    for benchmark in benchmarks {
      do {
        let measurement = try await benchmark.run(options.rounds ?? benchmark.usualRounds)
        report.add(benchmark.name, measurement)
        if !measurement.passes { status = 1 }
      } catch let reason as Unavailable {
        report.add(benchmark.name, "skipped", reason)
        if options.names.contains(benchmark.name) { status = max(status, 69) }
      } catch {
        report.add(benchmark.name, "FAILED", error)
        if status != 69 { status = 1 }
      }
    }
    return status
  }
}
