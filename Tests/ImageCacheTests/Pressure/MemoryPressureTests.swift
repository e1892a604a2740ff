import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ImageCache
@testable import LinuxSystem

@Suite(.timeLimit(.minutes(1)))
struct MemoryPressureTests {
  /// Notes what it is told.
  private final class Listener: Sendable {
    private let levels = Mutex<[MemoryPressureLevel]>([])
    var heard: [MemoryPressureLevel] { levels.withLock { $0 } }
    func hear(_ level: MemoryPressureLevel) { levels.withLock { $0.append(level) } }
  }

  // MARK: - By hand

  @Test func tellsAllWhoAskedUntilTheyCancel() {
    let pressure = ManualMemoryPressure()
    let (one, other) = (Listener(), Listener())
    let first = pressure.subscribe { one.hear($0) }
    var second: MemoryPressureSubscription? = pressure.subscribe { other.hear($0) }

    pressure.send(.trim)
    first.cancel()
    first.cancel()
    pressure.send(.flush)
    #expect(second != nil)
    second = nil
    pressure.send(.flushAndGiveBack)

    #expect(one.heard == [.trim])
    #expect(other.heard == [.trim, .flush])
  }

  @Test func tellsNobodyWhoHasCancelledMeanwhile() {
    let pressure = ManualMemoryPressure()
    let other = Listener()
    let kept = Mutex<MemoryPressureSubscription?>(nil)
    let one = pressure.subscribe { _ in kept.withLock { $0 }?.cancel() }
    let second = pressure.subscribe { other.hear($0) }
    kept.withLock { $0 = second }

    pressure.send(.trim)

    #expect(other.heard == [])
    one.cancel()
  }

  @Test func letsAHandlerCancelAndSubscribe() {
    let pressure = ManualMemoryPressure()
    let listener = Listener()
    let kept = Mutex<[MemoryPressureSubscription]>([])
    let subscription = pressure.subscribe { level in
      listener.hear(level)
      kept.withLock { $0.first }?.cancel()
      let another = pressure.subscribe { listener.hear($0) }
      kept.withLock { $0.append(another) }
    }
    kept.withLock { $0.append(subscription) }

    pressure.send(.trim)
    pressure.send(.flush)

    #expect(listener.heard == [.trim, .flush])
  }

  // MARK: - What a cache does

  private func cache(cost: Int) -> MemoryCache<Token> {
    let cache = MemoryCache<Token>(costOfValue: { _ in cost })
    for number in 0..<100 { cache.setValue(Token(), forKey: "\(number)") }
    return cache
  }

  @Test(arguments: [0, 10]) func halvesItselfAndKeepsWhatIsInUse(cost: Int) {
    let cache = cache(cost: cost)
    for number in 0..<20 { _ = cache.value(forKey: "\(number)") }

    cache.relieve(.trim)

    #expect(cache.count == 50)
    #expect((0..<20).allSatisfy { cache.value(forKey: "\($0)") != nil })
  }

  @Test(arguments: [MemoryPressureLevel.flush, .flushAndGiveBack])
  func emptiesItselfAndTellsItsDelegate(level: MemoryPressureLevel) {
    let cache = cache(cost: 0)
    let recorder = EvictionRecorder<Token>()
    cache.delegate = recorder
    cache.relieve(level)
    #expect(cache.count == 0)
    #expect(recorder.take().count == 100)
  }

  @Test(
    .disabled(if: isUnderThreadSanitizer, "the sanitizer keeps what is freed, to look at it")
  )
  func givesFreedMemoryBack() {
    // Small blocks, which come from the heap and stay there; the last one keeps it from shrinking.
    var blocks = (0..<40_000).map { _ in [UInt8](repeating: 1, count: 2000) }
    let last = [UInt8](repeating: 1, count: 2000)
    blocks.removeAll()
    let before = residentByteCount()

    MemoryCache<Token>(costOfValue: { _ in 1 }).relieve(.flushAndGiveBack)

    #expect(before - residentByteCount() > 40_000_000)
    #expect(last.count == 2000)
  }

  private func residentByteCount() -> Int {
    let pages = FileTree.text(at: "/proc/self/statm")?.split(separator: " ").dropFirst().first
    return (pages.flatMap { Int($0) } ?? 0) * 4096
  }

  // MARK: - The system's

  private func machine(availableOf1000: Int) throws -> (TemporaryFolder, SystemMemoryPressure) {
    let folder = try TemporaryFolder()
    folder.file("proc/meminfo", "MemTotal: 1000 kB\nMemAvailable: \(availableOf1000) kB\n")
    let roots = DeviceRoots(proc: folder.path + "/proc", root: folder.path)
    let pressure = SystemMemoryPressure { () throws(Errno) in
      try MemoryPressureWatch(roots: roots, every: 1_000_000)
    }
    return (folder, pressure)
  }

  @Test func callsOnItsOwnThread() async throws {
    let (folder, pressure) = try machine(availableOf1000: 10)
    let (levels, heard) = AsyncStream<(MemoryPressureLevel, String?)>.makeStream()
    let subscription = pressure.subscribe { level in
      heard.yield((level, FileTree.text(at: "/proc/thread-self/comm")))
    }
    for await (level, thread) in levels {
      #expect(level == .flushAndGiveBack)
      #expect(thread == "mem-pressure")
      break
    }
    subscription.cancel()
    #expect(!pressure.isWatching)
    withExtendedLifetime(folder) {}
  }

  @Test func watchesWhileSomebodyIsSubscribed() async throws {
    let (folder, pressure) = try machine(availableOf1000: 900)
    #expect(!pressure.isWatching)
    let one = pressure.subscribe { _ in }
    let other = pressure.subscribe { _ in }
    #expect(pressure.isWatching)
    one.cancel()
    one.cancel()
    #expect(pressure.isWatching)
    other.cancel()
    #expect(!pressure.isWatching)

    // And again, with a thread of its own.
    let (levels, heard) = AsyncStream<MemoryPressureLevel>.makeStream()
    let third = pressure.subscribe { heard.yield($0) }
    folder.file("proc/meminfo", "MemTotal: 1000 kB\nMemAvailable: 130 kB\n")
    for await level in levels {
      #expect(level == .trim)
      break
    }
    third.cancel()
  }

  @Test func leavesNoThreadAndNoDescriptorBehind() async throws {
    let (folder, pressure) = try machine(availableOf1000: 900)
    folder.file("proc/pressure/memory")
    for _ in 0..<10 { pressure.subscribe { _ in }.cancel() }
    // The threads end on their own; the suite's time limit bounds the wait.
    while openFiles(of: folder) > 0 { await Task.yield() }
    #expect(openFiles(of: folder) == 0)
  }

  private func openFiles(of folder: TemporaryFolder) -> Int {
    FileTree.names(in: "/proc/self/fd").count {
      FileTree.link(at: "/proc/self/fd/\($0)")?.hasPrefix(folder.path) ?? false
    }
  }

  @Test func triesAgainWhereTheProcessHadNoDescriptors() throws {
    let hasDescriptors = Mutex(false)
    let pressure = SystemMemoryPressure { () throws(Errno) in
      guard hasDescriptors.withLock({ $0 }) else { throw .tooManyOpenFiles }
      return try MemoryPressureWatch()
    }
    let one = pressure.subscribe { _ in }
    #expect(!pressure.isWatching)
    hasDescriptors.withLock { $0 = true }
    let other = pressure.subscribe { _ in }
    #expect(pressure.isWatching)
    one.cancel()
    other.cancel()
  }

  @Test func hasTheKernelsLevels() {
    #expect(
      PressureLevel.allCases.map { MemoryPressureLevel($0) } == MemoryPressureLevel.allCases)
    #expect(MemoryPressureLevel.trim < .flush && MemoryPressureLevel.flush < .flushAndGiveBack)
  }

  @Test func watchesThisMachine() {
    let subscription = SystemMemoryPressure.shared.subscribe { _ in }
    #expect(SystemMemoryPressure.shared.isWatching)
    subscription.cancel()
  }
}

/// `Scripts/test` sets its options.
private let isUnderThreadSanitizer = ProcessInfo.processInfo.environment["TSAN_OPTIONS"] != nil
