import LinuxSystem
import TestSupport

/// What the tests run as a process of its own, where other file systems are mounted.
///
///     trash-worker ROOT FILE    puts a file into the trash; says why not
@main
enum Main {
  static func main() {
    Worker.main { words in
      try Trash().put(RawPath(words[2]), within: RawPath(words[1]))
    }
  }
}
