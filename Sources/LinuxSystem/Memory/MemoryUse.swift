/// How full a control group, or the machine, is.
enum MemoryUse: Hashable, Sendable {
  /// A group that has a limit.
  case group(folder: String, limit: Int, isVersionOne: Bool)
  case machine(DeviceRoots)

  /// All groups with a limit that the process is in; the machine where there is none.
  static func all(_ groups: ControlGroups, _ roots: DeviceRoots) -> [MemoryUse] {
    let limited = groups.foldersUpwards.compactMap { folder -> MemoryUse? in
      let limits = ["memory.max", "memory.high", "memory.limit_in_bytes"].compactMap { name in
        FileTree.text(at: "\(folder)/\(name)").flatMap { Int($0) }
      }
      // Version 1 says “no limit” with a number larger than any memory.
      guard let limit = limits.min(), limit > 0, limit < 1 << 60 else { return nil }
      let isVersionOne = FileTree.text(at: "\(folder)/memory.current") == nil
      return .group(folder: folder, limit: limit, isVersionOne: isVersionOne)
    }
    return limited.isEmpty ? [.machine(roots)] : limited
  }

  var isGroup: Bool {
    if case .group = self { true } else { false }
  }

  /// Where a group says that it has met its limit; nil where the kernel has no such file.
  var eventsPath: String? {
    guard case .group(let folder, _, _) = self else { return nil }
    let path = "\(folder)/memory.events"
    return FileTree.text(at: path) == nil ? nil : path
  }

  /// The used part, from 0 to 1; nil where nobody says.
  ///
  /// Files' pages that nobody has read lately do not count: the kernel drops them when it needs
  /// memory, and without them every group that reads files seems full.
  var part: Double? {
    switch self {
    case .group(let folder, let limit, let isVersionOne):
      let name = isVersionOne ? "memory.usage_in_bytes" : "memory.current"
      guard let used = FileTree.text(at: "\(folder)/\(name)").flatMap({ Int($0) }) else {
        return nil
      }
      let idleName = isVersionOne ? "total_inactive_file" : "inactive_file"
      let idle = Self.number(idleName, in: FileTree.lines(ofFile: "\(folder)/memory.stat"))
      return Double(Swift.max(0, used - (idle ?? 0))) / Double(limit)
    case .machine(let roots):
      guard let memory = MemoryInformation(roots: roots), let available = memory.available else {
        return nil
      }
      return Double(memory.total - available) / Double(memory.total)
    }
  }

  /// The number behind a name, where each line is a name, a blank and a number.
  private static func number(_ name: String, in lines: [Substring]) -> Int? {
    for line in lines {
      let parts = line.split(separator: " ")
      if parts.count == 2, parts[0] == name { return Int(parts[1]) }
    }
    return nil
  }
}
