import LinuxSystem

/// One small picture of one state of a file.
struct ThumbnailRequest: Hashable, Sendable {
  let path: RawPath
  let stamp: FileStamp
  let isMovie: Bool
  let maxPixelSize: Int

  /// The sizes that are kept; smaller ones are made of them. From a multiple of what is shown the
  /// picture looks as if it were made of the original.
  private static let keptSizes = [512, 2048]

  /// The size of the kept picture that this one is made of; nil where that would be no smaller
  /// than the original.
  var keptSize: Int? { Self.keptSizes.first { $0 >= maxPixelSize } }

  static func key(_ path: RawPath, _ stamp: FileStamp, size: Int) -> String {
    "\(path.percentEncoded)|\(stamp.modified)|\(stamp.byteCount)|\(size)"
  }

  /// All keys that pictures of a file's state may be kept by.
  static func keys(_ path: RawPath, _ stamp: FileStamp) -> [String] {
    keptSizes.map { key(path, stamp, size: $0) }
  }
}
