import Foundation
import LinuxSystem

/// A folder of encoded pictures: one file for each key.
struct PictureFolder: Sendable {
  /// Above any camera's picture, and low enough to be held in memory.
  private static let maximumByteCount = 512 << 20

  let url: URL
  /// Whether the folder, where it has to be made, is the user's alone.
  let isPrivate: Bool

  init(url: URL, isPrivate: Bool) throws(ImageStoreError) {
    guard url.isFileURL else {
      throw ImageStoreError(.failed, "\(url) is no folder's address; pictures are kept in files")
    }
    // A relative address must not follow the process when it changes its working folder.
    self.url = url.absoluteURL
    self.isPrivate = isPrivate
    try make()
  }

  func fileURL(forKey key: String) -> URL {
    url.appending(path: FileName.name(forKey: key), directoryHint: .notDirectory)
  }

  func write(_ bytes: Data, forKey key: String) throws(ImageStoreError) {
    do throws(FileFailure) {
      do {
        try AtomicFile.write(bytes.bytes, to: path(forKey: key))
      } catch let error where error.errno == .noEntry {
        // Somebody has deleted the folder.
        try Folder.make(folderPath, isPrivate: isPrivate)
        try AtomicFile.write(bytes.bytes, to: path(forKey: key))
      }
    } catch {
      throw ImageStoreError(error, doing: "The picture could not be kept")
    }
  }

  /// nil only where there is no file.
  func read(forKey key: String) throws(ImageStoreError) -> Data? {
    do throws(FileFailure) {
      return Data(try AtomicFile.read(path(forKey: key), atMost: Self.maximumByteCount))
    } catch {
      if error.errno == .noEntry { return nil }
      throw ImageStoreError(error, doing: "The picture could not be read")
    }
  }

  func delete(forKey key: String) throws(ImageStoreError) {
    do throws(FileFailure) {
      try AtomicFile.remove(path(forKey: key))
    } catch {
      throw ImageStoreError(error, doing: "The picture could not be deleted")
    }
  }
}

// MARK: - Paths

extension PictureFolder {
  private var folderPath: String { url.path(percentEncoded: false) }

  private func path(forKey key: String) -> String {
    fileURL(forKey: key).path(percentEncoded: false)
  }

  private func make() throws(ImageStoreError) {
    do throws(FileFailure) {
      try Folder.make(folderPath, isPrivate: isPrivate)
    } catch {
      // Only the program's own folder is private, and that variable moves it.
      throw ImageStoreError(
        error, doing: "The pictures' folder could not be made",
        or: isPrivate ? "set XDG_DATA_HOME" : nil)
    }
  }
}
