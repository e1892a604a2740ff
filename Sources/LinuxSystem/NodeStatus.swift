import Glibc

/// What stat(2) says of a device node.
package struct NodeStatus: Hashable, Sendable {
  package let isCharacterDevice: Bool
  package let ownerID: UInt32
  package let groupID: UInt32
  /// The nine permission bits.
  package let permissions: UInt32
  /// The file's number, which a node that is made anew does not have again.
  package let fileNumber: UInt64
  /// When the contents changed; nanoseconds since 1970.
  package let modified: Int64

  /// Asks about the node at `path`; links are followed.
  package init(ofNode path: String) throws(Errno) {
    var status = stat()
    try retryingInterrupts { unsafe stat(path, &status) }
    isCharacterDevice = status.st_mode & S_IFMT == S_IFCHR
    ownerID = status.st_uid
    groupID = status.st_gid
    permissions = status.st_mode & 0o777
    fileNumber = UInt64(status.st_ino)
    modified = FileStatus(status).modified
  }

  /// Whether owner, group and mode let this process read and write; where they do and the kernel
  /// does not, something else keeps it out.
  package var letsThisProcessIn: Bool {
    if geteuid() == 0 { return true }
    if ownerID == geteuid() { return permissions & 0o600 == 0o600 }
    var groups = [gid_t](repeating: 0, count: 1024)
    let count = unsafe getgroups(Int32(groups.count), &groups)
    let isMember = groupID == getegid() || groups.prefix(Int(max(count, 0))).contains(groupID)
    return isMember ? permissions & 0o060 == 0o060 : permissions & 0o006 == 0o006
  }

  /// The name of the group that the node belongs to, if members of it may read and write, and
  /// the system knows its name.
  package var usefulGroup: String? {
    guard permissions & 0o060 == 0o060 else { return nil }
    return Self.groupName(of: groupID)
  }

  /// A group's name from the system's group database.
  package static func groupName(of groupID: UInt32) -> String? {
    var record = unsafe group()
    var found: UnsafeMutablePointer<group>?
    // Groups with many members need more; one that does not fit stays nameless.
    var text = [CChar](repeating: 0, count: 65536)
    let result = unsafe getgrgid_r(groupID, &record, &text, text.count, &found)
    guard result == 0, let name = unsafe found?.pointee.gr_name else { return nil }
    return unsafe String(cString: name)
  }
}
