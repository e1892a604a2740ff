import CaptureKitLinux
import Dispatch
import ExampleSupport
import Foundation

/// `snap watch`: says which cameras come and go.
enum WatchCommand {
  static let help = """
    Usage: snap watch [OPTION]…

    Lists the cameras that are there, then says which come and go until Ctrl-C: what
    happened, id, node and name, one a line.

      --count NUMBER     ends after so many cameras came or went
      --timeout SECONDS  ends after so long; fails where fewer came or went than --count says
      --simulated        a simulated camera that is unplugged and plugged in all the time
    """

  static func run(_ arguments: [String]) async throws {
    let options = try Options(
      arguments, flags: ["--simulated"], valued: ["--count", "--timeout"])
    if options.wantsHelp { return print(help) }
    try options.requireOperands(0)
    let count = try options.value("--count", expected: "a number, 1 or more") {
      Int($0).flatMap { $0 > 0 ? $0 : nil }
    }
    let timeout = try options.value("--timeout", expected: "seconds, more than 0") {
      Double($0).flatMap { $0 > 0 && $0 <= 1e6 ? $0 : nil }
    }
    let hand = options.has("--simulated") ? RestlessCamera() : nil
    if let hand { CaptureEnvironment.default = hand.environment }

    let watch = Task { try await show(atMost: count) }
    let stops = StopSignals { watch.cancel() }
    defer { withExtendedLifetime(stops) {} }
    let alarm = alarm(after: timeout) { watch.cancel() }
    defer { alarm?.cancel() }
    hand?.begin()
    let shown = try await watch.value
    hand?.end()
    if let count, let timeout, shown < count {
      throw Failure(
        .temporaryFailure, "\(shown) cameras came or went within \(timeout) seconds, not \(count).")
    }
  }

  /// - Returns: How many cameras came or went.
  private static func show(atMost count: Int?) async throws -> Int {
    // In this order: what happens while the list is read is not lost.
    var changes = CaptureDevice.changes.makeAsyncIterator()
    for device in try await CaptureEnvironment.current.devices() { try line("there", device) }
    var shown = 0
    var warned = false
    while shown < count ?? .max, let change = await changes.next() {
      if !warned, let error = CaptureEnvironment.current.watchError {
        say("snap: \(error)")
        warned = true
      }
      switch change {
      case .connected(let device): try line("connected", device)
      case .disconnected(let device): try line("disconnected", device)
      case .updated(let device): try line("updated", device)
      }
      if case .updated = change { continue }
      shown += 1
    }
    return shown
  }

  private static func line(_ word: String, _ device: CaptureDevice) throws {
    let note = device.authorization == .authorized ? "" : "  (may not be opened)"
    let word = word.padding(toLength: 12, withPad: " ", startingAt: 0)
    try printLine(
      "\(word)  \(device.uniqueID)  \(device.nodePath ?? "-")  \(device.localizedName)\(note)")
  }

  /// Ends the watch when its time is over; nil where it has all the time.
  private static func alarm(
    after timeout: Double?, _ stop: @escaping @Sendable () -> Void
  ) -> (any DispatchSourceTimer)? {
    guard let timeout else { return nil }
    let timer = DispatchSource.makeTimerSource()
    timer.schedule(deadline: .now() + timeout)
    timer.setEventHandler(handler: stop)
    timer.activate()
    return timer
  }
}
