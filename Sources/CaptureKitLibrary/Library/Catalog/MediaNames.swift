import LinuxSystem

/// What names say, before anybody has looked at a file.
enum MediaNames {
  private static let images: Set<String> = [
    "jpg", "jpeg", "jpe", "jfif", "png", "apng", "heic", "heif", "hif", "avif", "gif", "webp",
    "tif", "tiff", "bmp", "jxl", "dng", "cr2", "cr3", "nef", "arw", "raf", "orf", "rw2",
  ]
  private static let movies: Set<String> = [
    "mkv", "webm", "mp4", "m4v", "mov", "qt", "avi", "mpg", "mpeg", "mts", "m2ts", "ts", "3gp",
    "3g2", "ogv", "wmv", "flv",
  ]
  /// Folders of other programs: trash, thumbnails, and what a file system or a server keeps.
  private static let others: Set<String> = [
    "trash", "thumbnails", "thumbs", "lost+found", "$recycle.bin", "system volume information",
    "@eadir", "#recycle",
  ]

  /// By the extension; what has none of these is looked at.
  static func kind(_ path: RawPath) -> LibraryEntry.Kind {
    let name = path.name
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return .other }
    let ending = String(decoding: name[(dot + 1)...], as: UTF8.self).lowercased()
    return images.contains(ending) ? .image : movies.contains(ending) ? .movie : .other
  }

  /// Whether a folder is one that users keep pictures in.
  static func isForPictures(_ folder: [UInt8]) -> Bool {
    folder.first != UInt8(ascii: ".")
      && !others.contains(String(decoding: folder, as: UTF8.self).lowercased())
  }
}
