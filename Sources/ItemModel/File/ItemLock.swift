import LinuxSystem

/// The lock beside an inventory's file.
package enum ItemLock {
  /// - Parameter file: The inventory's path, behind links.
  /// - Returns: `.NAME.lock` in the same folder.
  package static func path(besides file: String) -> String {
    var name = String(file.split(separator: "/").last ?? "")
    if name.utf8.count > 240 {
      var hash = FNV1a()
      hash.add(name.utf8)
      name = String(hash.value, radix: 16)
    }
    return AtomicFile.joined(AtomicFile.folder(of: file), ".\(name).lock")
  }
}
