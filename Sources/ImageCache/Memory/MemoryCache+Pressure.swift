import LinuxSystem

extension MemoryCache {
  /// Makes room in the system's memory, as far as a level asks for it.
  ///
  /// The delegate is told of what goes, as for a limit; the limits stay.
  ///
  /// - Parameter level: How short memory is. The last one gives back what the whole process has
  ///   freed.
  public func relieve(_ level: MemoryPressureLevel) {
    switch level {
    case .trim:
      let cost = totalCost
      if cost > 0 { trim(toCost: cost / 2) } else { trim(toCount: count / 2) }
    case .flush: trim(toCount: 0)
    case .flushAndGiveBack:
      trim(toCount: 0)
      FreeMemory.returnToSystem()
    }
  }
}
