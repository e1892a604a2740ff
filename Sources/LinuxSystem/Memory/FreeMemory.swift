import CLinuxSystem

/// Memory that this process has freed, and that the C library still keeps for its next allocations.
package enum FreeMemory {
  /// Gives it back to the system. Takes milliseconds where there is much of it.
  package static func returnToSystem() { _ = ck_return_memory() }
}
