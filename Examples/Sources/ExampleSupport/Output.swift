@preconcurrency import Glibc

/// Writes bytes to stdout, after what was printed before.
///
/// - Throws: A ``Failure`` with the status `inputOutput`.
public func writeOutput(_ bytes: RawSpan) throws {
  let count = bytes.withUnsafeBytes { fwrite($0.baseAddress, 1, $0.count, stdout) }
  guard count == bytes.byteCount else { throw lostOutput() }
  try finishOutput()
}

/// Writes a line to stdout that arrives at once, also in a pipe.
///
/// - Throws: A ``Failure`` with the status `inputOutput`.
public func printLine(_ line: String) throws {
  print(line)
  try finishOutput()
}

/// Makes sure that stdout has all that was printed; `print` itself reports nothing.
func finishOutput() throws {
  errno = 0
  guard fflush(stdout) == 0, ferror(stdout) == 0 else { throw lostOutput() }
}

private func lostOutput() -> Failure {
  let reason = errno == 0 ? "a write failed" : String(cString: strerror(errno))
  return Failure(
    .inputOutput, "The output could not be written to stdout: \(reason); look at where it goes.")
}

/// Gives stdin, stdout and stderr, where they are closed, something that refuses every use.
///
/// Otherwise the next file that is opened takes the number, and gets what is printed.
func occupyStandardDescriptors() {
  for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) == -1 {
    // It is the lowest free number, so the file takes it.
    _ = open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY)
  }
}
