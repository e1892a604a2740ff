import CLinuxSystem
import Glibc

/// Signals to this process, handled where code may do anything. There is one pipe of them for the
/// whole process, so one place reads it.
package enum ProcessSignals {
  /// The descriptor that is readable when a signal has come; never to be closed.
  /// - Throws: `tooManyOpenFiles` where there is no room for a pipe.
  package static func pipe() throws(Errno) -> Int32 {
    let descriptor = ck_signal_pipe()
    guard descriptor >= 0 else { throw Errno(rawValue: -descriptor) }
    return descriptor
  }

  /// Catches a signal from now on, after ``pipe()``.
  /// - Returns: false where the process ignores it, as under nohup(1), or it cannot be caught.
  package static func `catch`(_ number: Int32) -> Bool { ck_catch_signal(number) == 0 }

  /// The next signal that has come; nil where there is none.
  package static func next() -> Int32? {
    let number = ck_next_signal()
    return number == 0 ? nil : number
  }

  /// Catches the signal no longer.
  package static func release(_ number: Int32) { ck_release_signal(number) }

  /// Ends the process as the signal does where nobody catches it.
  package static func end(by number: Int32) {
    release(number)
    kill(getpid(), number)
  }
}
