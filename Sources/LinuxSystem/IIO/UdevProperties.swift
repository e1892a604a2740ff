/// What udev has written down of a device, from its rules and its hardware database.
///
/// Read from udev's own files, so that no library is needed; empty where udev does not run.
struct UdevProperties {
  private let lines: [Substring]

  /// Looks a character device up by its folder in sysfs.
  init(ofDevice path: String, roots: DeviceRoots) {
    let text = FileTree.text(at: path + "/dev").flatMap { number in
      FileTree.text(at: roots.run + "/udev/data/c" + number)
    }
    lines = (text ?? "").split(separator: "\n")
  }

  /// A property's value; nil where udev says nothing.
  subscript(name: String) -> String? {
    let prefix = "E:\(name)="
    return lines.first { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
  }
}
