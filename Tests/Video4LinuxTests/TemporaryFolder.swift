import Foundation

/// A folder that goes with its last reference.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    var template = Array("/tmp/capturekit-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw Failure() }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  /// Makes a folder with all of its parents, and returns its path.
  @discardableResult
  func folder(_ name: String) -> String {
    var current = path
    for part in name.split(separator: "/") {
      current += "/" + part
      mkdir(current, 0o755)
    }
    return current
  }

  /// Writes a file, with its parent folders, and returns its path.
  @discardableResult
  func file(_ name: String, _ text: String = "") -> String {
    let parts = name.split(separator: "/")
    folder(parts.dropLast().joined(separator: "/"))
    let file = fopen("\(path)/\(name)", "w")
    _ = text.withCString { fputs($0, file) }
    fclose(file)
    return "\(path)/\(name)"
  }

  /// Makes a symbolic link, with its parent folders.
  func link(_ name: String, to target: String) {
    folder(name.split(separator: "/").dropLast().joined(separator: "/"))
    symlink(target, "\(path)/\(name)")
  }

  private struct Failure: Error {}
}
