/// What a disk tier has done since it was made; other processes' work is not in it.
struct DiskStatistics: Hashable, Sendable {
  var hits = 0
  var misses = 0
  var bytesRead = 0
  var writes = 0
  var bytesWritten = 0
  var deletions = 0
  /// Pictures that went to keep a limit or to make room on a full disk.
  var evictions = 0
  var evictedBytes = 0
  /// Pictures that were not what had been written.
  var verificationFailures = 0
  /// Pictures that somebody else has put into the folder, and that have a checksum since.
  var adoptions = 0
  /// Searches of the whole folder for what has to go.
  var trims = 0
}
