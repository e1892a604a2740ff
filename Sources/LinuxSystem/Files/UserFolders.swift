/// The folders that users have for kinds of files, as xdg-user-dirs sets them up.
package struct UserFolders: Hashable, Sendable {
  private var paths: [String: String] = [:]
  private let home: String

  /// Reads `user-dirs.dirs`, which may be missing.
  package init(_ directories: XDGDirectories = XDGDirectories()) {
    let file = AtomicFile.joined(directories.configHome, "user-dirs.dirs")
    self.init(lines: FileTree.lines(ofFile: file), home: directories.home)
  }

  /// - Parameters:
  ///   - lines: The file's; as a shell would take them. What is no setting is left out.
  ///   - home: The user's home folder.
  package init(lines: [Substring], home: String) {
    self.home = Self.withoutSlashes(home)
    for line in lines {
      guard let (name, path) = Self.setting(line, home: self.home) else { continue }
      // As for a shell, the last one counts.
      paths[name] = path
    }
  }

  /// The folder of a kind.
  ///
  /// - Parameters:
  ///   - name: `PICTURES`, `VIDEOS` …
  ///   - usual: What it is called in the home folder where nothing is said.
  /// - Returns: nil where the user has turned it off: it is the home folder itself then.
  package func folder(_ name: String, usual: String) -> String? {
    guard let path = paths[name] else { return AtomicFile.joined(home, usual) }
    return path == home ? nil : path
  }

  /// `XDG_NAME_DIR="$HOME/path"` or `XDG_NAME_DIR="/path"`, and nothing else: the format allows no
  /// more.
  private static func setting(_ line: Substring, home: String) -> (name: String, path: String)? {
    let blanks: Set<Character> = [" ", "\t"]
    let line = line.drop { blanks.contains($0) }
    guard let equals = line.firstIndex(of: "=") else { return nil }
    var name = String(line[..<equals])
    while let last = name.last, blanks.contains(last) { name.removeLast() }
    guard name.hasPrefix("XDG_"), name.hasSuffix("_DIR"), name.count > 8 else { return nil }
    var value = line[line.index(after: equals)...].drop { blanks.contains($0) }
    guard value.popFirst() == "\"", var path = unquoted(value) else { return nil }
    if path.isInHome {
      path.text = home + "/" + path.text
    } else if !path.text.hasPrefix("/") {
      return nil
    }
    return (String(name.dropFirst(4).dropLast(4)), withoutSlashes(path.text))
  }

  /// What stands before the closing quote; nil where there is none.
  private static func unquoted(_ value: Substring) -> (text: String, isInHome: Bool)? {
    let variable = "$HOME"
    let isInHome =
      value.hasPrefix(variable)
      && ["/", "\""].contains(value.dropFirst(variable.count).first)
    var rest = isInHome ? value.dropFirst(variable.count) : value
    var text = ""
    while let character = rest.popFirst() {
      if character == "\"" { return (text, isInHome) }
      text.append(character == "\\" ? rest.popFirst() ?? "\\" : character)
    }
    return nil
  }

  /// Without slashes at the end, and without one behind another.
  private static func withoutSlashes(_ path: String) -> String {
    "/" + path.split(separator: "/").joined(separator: "/")
  }
}
