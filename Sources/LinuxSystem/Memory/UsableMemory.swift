/// How much memory this process may use: the machine's, or less where a control group limits it.
package struct UsableMemory: Sendable {
  private let roots: DeviceRoots

  package init(roots: DeviceRoots = DeviceRoots()) { self.roots = roots }

  /// The least of all limits; nil where nothing can be read.
  package var byteCount: Int? {
    let groups = ControlGroups(roots: roots)
    let limits = groups.foldersUpwards.flatMap { folder in
      ["memory.max", "memory.high", "memory.limit_in_bytes"].compactMap { name in
        // `max` is no number, and no limit.
        FileTree.text(at: "\(folder)/\(name)").flatMap { Int($0) }
      }
    }
    return (limits + [MemoryInformation(roots: roots)?.total].compactMap(\.self)).min()
  }
}
