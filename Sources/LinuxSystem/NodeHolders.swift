import Glibc

/// Which processes have a device node open, as far as /proc shows it.
package struct NodeHolders: Hashable, Sendable {
  /// A process that is not this one.
  package struct Process: Hashable, Sendable {
    package let identifier: Int32
    /// The program's name, 15 characters at most; empty where it cannot be read.
    package let name: String
  }

  /// The other processes that have the node open, by number.
  package let processes: [Process]
  /// How many descriptors of this process are open on the node.
  package let ownDescriptorCount: Int
  /// Whether there were processes whose descriptors this one may not see, so that the list
  /// may lack somebody. Without privileges, that is so for other users' processes.
  package let isBlind: Bool

  /// Looks through all processes' open descriptors.
  ///
  /// - Parameters:
  ///   - path: Of the node; links are followed.
  ///   - roots: Where the processes are described.
  ///   - ownIdentifier: The process that asks, which is never listed.
  ///   - contents: Lists a folder.
  package init(
    ofNode path: String, roots: DeviceRoots = DeviceRoots(), ownIdentifier: Int32 = getpid(),
    contents: (String) throws(Errno) -> [String] = FileTree.contents(of:)
  ) {
    let target = FileTree.realPath(path) ?? path
    let identifiers = FileTree.names(in: roots.proc).compactMap { Int32($0) }.sorted()
    var processes: [Process] = []
    var ownDescriptorCount = 0
    // Without a /proc there is nothing to see at all.
    var isBlind = identifiers.isEmpty
    for identifier in identifiers {
      let folder = "\(roots.proc)/\(identifier)"
      let descriptors: [String]
      do {
        descriptors = try contents(folder + "/fd")
      } catch {
        // One that has just ended is no secret.
        isBlind = isBlind || error == .accessDenied || error == .notPermitted
        continue
      }
      // The link's text is compared, not what it leads to: a stat there can hang on a network.
      let count = descriptors.count { FileTree.link(at: "\(folder)/fd/\($0)") == target }
      if identifier == ownIdentifier {
        ownDescriptorCount = count
      } else if count > 0 {
        let name = FileTree.text(at: folder + "/comm") ?? ""
        processes.append(Process(identifier: identifier, name: name))
      }
    }
    self.processes = processes
    self.ownDescriptorCount = ownDescriptorCount
    self.isBlind = isBlind
  }
}
