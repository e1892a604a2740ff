/// Where the kernel keeps what it says of this process's control groups for memory, see cgroups(7).
package struct ControlGroups: Hashable, Sendable {
  /// The process's own group in the hierarchy of version 2; nil where there is none.
  package let unified: String?
  /// The process's own group for memory in version 1; nil where there is none.
  package let memory: String?
  private let unifiedMount: String
  private let memoryMount: String

  package init(roots: DeviceRoots = DeviceRoots()) {
    let mounts = FileTree.lines(ofFile: "\(roots.proc)/self/mountinfo").compactMap(Mount.init)
    let groups = FileTree.lines(ofFile: "\(roots.proc)/self/cgroup")
    let unifiedMount = mounts.first { $0.kind == "cgroup2" }
    let memoryMount = mounts.first { $0.kind == "cgroup" && $0.options.contains("memory") }
    unified = unifiedMount.flatMap { mount in
      Self.path(in: groups) { $0 == "" }.map { roots.root + mount.folder(of: $0) }
    }
    memory = memoryMount.flatMap { mount in
      Self.path(in: groups) { $0.split(separator: ",").contains("memory") }
        .map { roots.root + mount.folder(of: $0) }
    }
    self.unifiedMount = roots.root + (unifiedMount?.point ?? "")
    self.memoryMount = roots.root + (memoryMount?.point ?? "")
  }

  /// The folders of the process's groups and of all groups around them, innermost first: each may
  /// have a limit of its own.
  package var foldersUpwards: [String] {
    Self.upwards(from: unified, to: unifiedMount) + Self.upwards(from: memory, to: memoryMount)
  }

  private static func upwards(from folder: String?, to mount: String) -> [String] {
    guard var folder else { return [] }
    var folders = [folder]
    while folder.utf8.count > mount.utf8.count, let slash = folder.lastIndex(of: "/") {
      folder = String(folder[..<slash])
      folders.append(folder)
    }
    return folders
  }

  /// A line is `number:controllers:path`; the path may have colons.
  private static func path(in lines: [Substring], _ matches: (Substring) -> Bool) -> Substring? {
    lines.lazy
      .map { $0.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false) }
      .first { $0.count == 3 && matches($0[1]) }?[2]
  }

  /// A line of mountinfo, see proc_pid_mountinfo(5).
  private struct Mount {
    /// The group that is mounted; others cannot be seen but through it.
    let root: Substring
    let point: Substring
    let kind: Substring
    let options: [Substring]

    init?(_ line: Substring) {
      let fields = line.split(separator: " ")
      // Optional fields end with a hyphen.
      guard let hyphen = fields.dropFirst(6).firstIndex(of: "-"), fields.count > hyphen + 3 else {
        return nil
      }
      (root, point, kind) = (fields[3], fields[4], fields[hyphen + 1])
      options = fields[hyphen + 3].split(separator: ",")
    }

    func folder(of path: Substring) -> String {
      // A group outside of what is mounted cannot be looked at; what is mounted is around it.
      guard !path.split(separator: "/").contains("..") else { return String(point) }
      let prefix = root == "/" ? "" : root
      guard path == prefix || path.hasPrefix(prefix + "/") else { return String(point) }
      let rest = path.dropFirst(prefix.count)
      return rest == "/" ? String(point) : String(point + rest)
    }
  }
}
