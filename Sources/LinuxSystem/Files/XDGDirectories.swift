import Glibc

/// Where a program's files belong, by the XDG Base Directory Specification 0.8.
package struct XDGDirectories: Hashable, Sendable {
  /// The folder of all programs' data: `$XDG_DATA_HOME`, or `~/.local/share`.
  package let dataHome: String
  /// The folder of all programs' settings: `$XDG_CONFIG_HOME`, or `~/.config`.
  package let configHome: String
  /// The folder of what all programs can make anew: `$XDG_CACHE_HOME`, or `~/.cache`.
  package let cacheHome: String
  /// The user's home folder.
  package let home: String

  /// Reads the environment.
  ///
  /// As the specification demands, a variable that is empty or not absolute counts as unset.
  ///
  /// - Parameters:
  ///   - variable: Looks a variable up; nil where it is unset.
  ///   - home: The user's home folder where `$HOME` is no help.
  package init(
    variable: (String) -> String? = Self.environment, home: () -> String? = Self.homeOfUser
  ) {
    func absolute(_ name: String) -> String? {
      variable(name).flatMap { $0.utf8.first == UInt8(ascii: "/") ? $0 : nil }
    }
    let homeOfUser = absolute("HOME") ?? home() ?? "/"
    func folder(_ name: String, _ usual: String) -> String {
      absolute(name) ?? AtomicFile.joined(homeOfUser, usual)
    }
    self.home = homeOfUser
    dataHome = folder("XDG_DATA_HOME", ".local/share")
    configHome = folder("XDG_CONFIG_HOME", ".config")
    cacheHome = folder("XDG_CACHE_HOME", ".cache")
  }

  /// The folder of this program's data; it may not exist yet.
  package var dataOfProgram: String { AtomicFile.joined(dataHome, Self.programName) }

  /// The folder of what this program can make anew; it may not exist yet.
  package var cacheOfProgram: String { AtomicFile.joined(cacheHome, Self.programName) }

  /// The name of the running executable, without its folder.
  package static var programName: String {
    let executable = AtomicFile.executable ?? CommandLine.arguments.first ?? ""
    // The kernel marks a binary that was replaced while it runs.
    let deleted = " (deleted)"
    let path =
      executable.hasSuffix(deleted) ? String(executable.dropLast(deleted.count)) : executable
    let name = path.split(separator: "/").last.map(String.init) ?? ""
    return name.isEmpty || name == "." || name == ".." ? "program" : name
  }

  package static func environment(_ name: String) -> String? {
    unsafe getenv(name).map { unsafe String(cString: $0) }
  }

  /// What the user database says, for programs that are started without `$HOME`.
  package static func homeOfUser() -> String? {
    var entry = unsafe passwd()
    var text = [CChar](repeating: 0, count: 16_384)
    var found: UnsafeMutablePointer<passwd>?
    let result = unsafe getpwuid_r(getuid(), &entry, &text, text.count, &found)
    guard result == 0, unsafe found != nil else { return nil }
    return unsafe entry.pw_dir.map { unsafe String(cString: $0) }
  }
}
