import CLinuxSystem
import Glibc

/// A thread of its own for work that waits in the kernel.
///
/// Foundation's brings all of Foundation into the program, ends the process where there is no
/// room for another thread, and keeps its name from the tools that show threads.
package enum NamedThread {
  /// Starts a thread.
  ///
  /// - Parameters:
  ///   - name: As `top -H` and debuggers show it; the kernel keeps 15 bytes.
  ///   - stackByteCount: The size of its stack.
  ///   - body: What it does; it ends with it.
  /// - Throws: `again` where the process or the system has too many threads.
  package static func start(
    _ name: String, stackByteCount: Int = 1 << 20, _ body: @escaping @Sendable () -> Void
  ) throws(Errno) {
    let work = Work(name: name, body: body)
    let context = unsafe Unmanaged.passRetained(work)
    var attributes = pthread_attr_t()
    unsafe pthread_attr_init(&attributes)
    defer { unsafe pthread_attr_destroy(&attributes) }
    unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    unsafe pthread_attr_setstacksize(&attributes, stackByteCount)
    var thread = pthread_t()
    let result = unsafe pthread_create(
      &thread, &attributes,
      { context in
        guard let context = unsafe context else { return nil }
        let work = unsafe Unmanaged<Work>.fromOpaque(context).takeRetainedValue()
        unsafe ck_set_thread_name(work.name)
        work.body()
        return nil
      }, context.toOpaque())
    guard result == 0 else {
      unsafe context.release()
      throw Errno(rawValue: result)
    }
  }

  private final class Work: Sendable {
    let name: String
    let body: @Sendable () -> Void

    init(name: String, body: @escaping @Sendable () -> Void) {
      self.name = name
      self.body = body
    }
  }
}
