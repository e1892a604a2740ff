import LinuxSystem

/// A driver's buffer in this process's memory, one area per plane; unmapped when the last
/// reference is gone, which may be long after the stream has stopped.
@safe final class MappedBuffer: Sendable {
  // Written in init alone; what the areas hold belongs to the driver or to one lease.
  nonisolated(unsafe) let planes: [UnsafeMutableRawBufferPointer]
  private let kernel: any Kernel

  /// Takes over areas that nobody else unmaps.
  init(owning planes: [UnsafeMutableRawBufferPointer], of kernel: any Kernel) {
    unsafe self.planes = planes
    self.kernel = kernel
  }

  deinit {
    // Cannot fail for what mmap gave.
    unsafe planes.forEach { try? unsafe kernel.munmap($0) }
  }
}
