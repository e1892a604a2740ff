import Glibc
import LinuxSystem
import Testing

@Suite(.timeLimit(.minutes(1)))
struct SystemCallTests {
  @Test func repeatsWhatASignalInterrupts() throws {
    var callCount = 0

    let result: Int32 = try retryingInterrupts {
      callCount += 1
      errno = EINTR
      return callCount < 5 ? -1 : 42
    }

    #expect(result == 42)
    #expect(callCount == 5)
  }

  @Test func throwsWhatErrnoSays() {
    #expect(throws: Errno.noEntry) { try retryingInterrupts { open("/no/such/file", O_RDONLY) } }
  }

  @Test func doesNotRepeatOtherFailures() {
    var callCount = 0

    #expect(throws: Errno.busy) {
      try withoutInterrupts { () throws(Errno) in
        callCount += 1
        throw .busy
      }
    }
    #expect(callCount == 1)
  }

  @Test(arguments: [
    (Errno.accessDenied, "Permission denied"), (.noDevice, "No such device"),
    (.tooManyOpenFiles, "Too many open files"),
  ])
  func describesANumberInWords(errno: Errno, words: String) {
    #expect(errno.description == words)
  }
}
