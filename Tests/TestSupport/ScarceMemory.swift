import Glibc

/// Lets a process have hardly any memory more.
package enum ScarceMemory {
  /// Refuses blocks of memory of some size or more for the time of one call, as a machine does that
  /// has none left.
  ///
  /// The whole process is meant: for tests in one of their own.
  ///
  /// - Parameters:
  ///   - byteCount: The smallest blocks that are refused.
  ///   - leaving: Bytes in one piece that are to be had in spite of it, less than that.
  ///   - body: What has to do without.
  /// - Returns: What the call returns.
  package static func whileRefusing<Result>(
    blocksOf byteCount: Int, leaving: Int, _ body: () throws -> Result
  ) rethrows -> Result {
    let resource = __rlimit_resource_t(RLIMIT_AS.rawValue)
    var limit = rlimit()
    getrlimit(resource, &limit)
    let unlimited = limit
    let spare = malloc(leaving)
    limit.rlim_cur = 0
    setrlimit(resource, &limit)
    // What malloc(3) keeps for later is taken too.
    var last: UnsafeMutableRawPointer?
    while let block = malloc(byteCount) {
      block.storeBytes(of: last, as: UnsafeMutableRawPointer?.self)
      last = block
    }
    // What is in use already may be used again.
    limit.rlim_cur = addressSpace
    setrlimit(resource, &limit)
    free(spare)
    defer {
      limit = unlimited
      setrlimit(resource, &limit)
      while let block = last {
        last = block.load(as: UnsafeMutableRawPointer?.self)
        free(block)
      }
    }
    return try body()
  }

  /// Bytes of addresses that the process has.
  private static var addressSpace: rlim_t {
    var text = [CChar](repeating: 0, count: 64)
    let file = open("/proc/self/statm", O_RDONLY)
    defer { close(file) }
    let count = read(file, &text, text.count - 1)
    guard count > 0 else { return 0 }
    return rlim_t(strtoul(text, nil, 10)) * rlim_t(sysconf(Int32(_SC_PAGESIZE)))
  }
}
