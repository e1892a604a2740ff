import Foundation
import LinuxSystem
import Synchronization

/// Puts new files into a library's folders: whole or not at all, and never over another one.
struct FilePlacing: Sendable {
  let folder: RawPath
  /// The library's own folder, which is made where it is missing; nil for an album, which is not.
  let root: RawPath?

  /// Keeps a file's bytes.
  func place(
    _ data: Data, _ name: AddedName, modified: Int64?
  ) throws(LibraryError) -> RawPath {
    try naming { () throws(FileFailure) in
      let file = try open()
      try file.write(data.bytes)
      if let modified { file.setModified(modified) }
      return try file.publish(name.candidates)
    }
  }

  /// Moves a file, as it is, or copies it where it lies on another disk.
  ///
  /// - Parameters:
  ///   - source: The file.
  ///   - name: What it is to be called.
  ///   - goesOn: Asked while a file is copied.
  /// - Returns: nil where that ended before.
  /// - Throws: ``LibraryError``; the file is where it was then.
  func move(
    _ source: RawPath, _ name: AddedName, while goesOn: () -> Bool
  ) throws(LibraryError) -> RawPath? {
    let moved = try naming { () throws(FileFailure) -> RawPath? in
      try makeFolder()
      for name in name.candidates {
        let target = folder.appending(name)
        do throws(FileFailure) {
          try RawFile.moveToFree(source, to: target)
        } catch {
          if error.errno == .exists { continue }
          if error.errno == .otherFileSystem { return nil }
          throw error
        }
        RawFile.synchronizeFolder(folder)
        return target
      }
      throw FileFailure(call: "rename", path: folder.shown, errno: .exists)
    }
    if let moved { return moved }
    guard let copy = try copy(source, name, while: goesOn) else { return nil }
    do throws(FileFailure) {
      try RawFile.remove(source)
    } catch {
      // It is where it was, and only there.
      _ = try? RawFile.remove(copy)
      throw LibraryError(error, adding: source)
    }
    return copy
  }

  /// Copies a file with its date.
  func copy(
    _ source: RawPath, _ name: AddedName, while goesOn: () -> Bool
  ) throws(LibraryError) -> RawPath? {
    let original = try Self.reading(source) { () throws(FileFailure) in
      try OpenFile(reading: source)
    }
    let modified = try Self.reading(source) { () throws(FileFailure) in
      try original.stamp(source.shown).modified
    }
    return try naming { () throws(FileFailure) in
      let file = try open()
      guard try file.copy(original, source.shown, while: goesOn) else { return nil }
      file.setModified(modified)
      return try file.publish(name.candidates)
    }
  }

  private static func reading<Value: ~Copyable>(
    _ source: RawPath, _ body: () throws(FileFailure) -> Value
  ) throws(LibraryError) -> Value {
    do {
      return try body()
    } catch {
      throw LibraryError(
        .cannotRead, "\(source.shown) cannot be read: \(error.explanation)",
        errno: error.errno.rawValue)
    }
  }

  private func open() throws(FileFailure) -> UnnamedFile {
    try makeFolder()
    return try UnnamedFile(in: folder)
  }

  private func makeFolder() throws(FileFailure) {
    guard let root, RawFile.realFolder(root) == nil else { return }
    guard let path = root.string else {
      throw FileFailure(call: "mkdir", path: root.shown, errno: .noEntry)
    }
    try Folder.make(path)
  }

  private func naming<Value: ~Copyable>(
    _ body: () throws(FileFailure) -> Value
  ) throws(LibraryError) -> Value {
    do {
      return try body()
    } catch {
      throw LibraryError(error, adding: folder)
    }
  }
}

extension LibraryError {
  init(_ failure: FileFailure, adding path: RawPath) {
    let code: Code =
      switch failure.trouble {
      case .notPermitted, .readOnly: .notPermitted
      case .noSpace: .diskFull
      case .noFolder, .isNoFolder: .noFolder
      case .isFolder, .nameTooLong, .other: .cannotWrite
      }
    self.init(
      code, "Nothing could be added to \(path.shown): \(failure.explanation)",
      errno: failure.errno.rawValue)
  }
}
