import Foundation

/// Trees of files, as `/dev`, `/sys` and `/proc` are.
extension TemporaryFolder {
  /// Makes a folder with all of its parents, and returns its path.
  @discardableResult
  package func folder(_ name: String) -> String {
    try? FileManager.default.createDirectory(
      atPath: path(name), withIntermediateDirectories: true)
    return path(name)
  }

  /// Writes a file, with its parent folders, and returns its path.
  @discardableResult
  package func file(_ name: String, _ text: String = "") -> String {
    folder(name.split(separator: "/").dropLast().joined(separator: "/"))
    try? Data(text.utf8).write(to: URL(filePath: path(name)))
    return path(name)
  }

  /// Removes a file or a folder.
  package func remove(_ name: String) {
    try? FileManager.default.removeItem(atPath: path(name))
  }

  /// Makes a symbolic link, with its parent folders.
  package func link(_ name: String, to target: String) {
    folder(name.split(separator: "/").dropLast().joined(separator: "/"))
    symlink(target, path(name))
  }
}
