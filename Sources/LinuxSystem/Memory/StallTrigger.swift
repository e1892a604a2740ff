import Glibc

/// A descriptor that the kernel signals when processes have waited for memory too long: pressure
/// stall information, see Documentation/accounting/psi.rst of the kernel.
final class StallTrigger: Sendable {
  let level: PressureLevel
  private let owner: Descriptor

  var descriptor: Int32 { owner.rawValue }

  /// - Parameters:
  ///   - level: What it means when the trigger fires, which decides how long the wait must be.
  ///   - path: `/proc/pressure/memory`, or `memory.pressure` of a control group.
  ///   - kernel: Who opens it.
  /// - Throws: `noEntry` where the kernel has no such file, `accessDenied` where it is another's.
  init(_ level: PressureLevel, at path: String, of kernel: any Kernel) throws(Errno) {
    self.level = level
    let number = try withoutInterrupts { () throws(Errno) in
      try kernel.open(path, flags: O_RDWR | O_NONBLOCK | O_CLOEXEC)
    }
    owner = Descriptor(owning: number, of: kernel)
    // With the terminating zero, which the kernel overwrites.
    let text = Array(Self.text(of: level).utf8) + [0]
    try retryingInterrupts { unsafe write(number, text, text.count) }
  }

  /// Who must have waited, for how many of how many microseconds: `some` is one process at least,
  /// `full` are all that had work. The time of two seconds is what a process without privileges may
  /// ask for.
  static func text(of level: PressureLevel) -> String {
    switch level {
    case .trim: "some 100000 2000000"
    case .flush: "some 400000 2000000"
    case .giveBack: "full 200000 2000000"
    }
  }

  /// The triggers of all levels, of the process's own control group or else of the whole system;
  /// none where the kernel has no such thing, or allows none.
  static func all(
    _ groups: ControlGroups, _ roots: DeviceRoots, of kernel: any Kernel
  ) -> [StallTrigger] {
    let own = groups.unified.map { "\($0)/memory.pressure" }
    for path in [own, "\(roots.proc)/pressure/memory"].compactMap(\.self) {
      let triggers = PressureLevel.allCases.compactMap { level in
        try? StallTrigger(level, at: path, of: kernel)
      }
      if !triggers.isEmpty { return triggers }
    }
    return []
  }
}
