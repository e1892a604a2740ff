/// The one owner of an open descriptor, which closes it when the last reference is gone.
///
/// Whoever makes a call holds a reference while it runs, so that the number cannot be closed
/// and given to another file under it.
package final class Descriptor: Sendable {
  package let rawValue: Int32
  private let kernel: any Kernel

  /// Takes over `rawValue`, which nobody else may close.
  package init(owning rawValue: Int32, of kernel: any Kernel) {
    self.rawValue = rawValue
    self.kernel = kernel
  }

  deinit {
    // Closed in any case, and nothing was written that could be lost: see close(2).
    try? kernel.close(rawValue)
  }
}
