import Foundation
import LinuxSystem

/// Pictures that were made of a picture, thumbnails for instance.
///
/// They are kept beside it, and are its as long as it is the one that they were made of: their
/// names say which one that was. So an old thumbnail is never taken for a new picture's, also
/// where a crash has left it.
extension DiskTier {
  /// A derived picture; nil where there is none of the picture that the key has now.
  ///
  /// It counts as a use of the picture.
  ///
  /// - Parameters:
  ///   - variant: What was made: all that it depends on, such as its size and how it fills it.
  ///   - key: The picture's key.
  /// - Returns: The encoded picture.
  func derived(_ variant: String, ofKey key: String) -> Data? {
    guard let stamp = stamp(forKey: key) else { return nil }
    let name = FileName.name(forKey: key)
    let place = DerivedPlace(variant, of: name, stamp)
    let path = layout.derivedFolder(name) + "/" + place.fileName
    let start = recentDeletions.count
    let picture = readDerived(path, place)
    guard !recentDeletions.contain(name, since: start) else { return nil }
    if picture != nil { FileNames.touch(layout.picture(name), contents: false) }
    return picture
  }

  private func readDerived(_ path: String, _ place: DerivedPlace) -> Data? {
    guard let file = try? OpenFile(reading: path), let status = try? file.status(path),
      status.isRegular, status.byteCount <= Self.maximumByteCount,
      let bytes = try? file.read(status.byteCount, path)
    else { return nil }
    guard case .whole = verdict(on: bytes, status, file, recordName: place.recordName) else {
      // It is made anew when it is wanted; nobody needs to look at it.
      count { $0.verificationFailures += 1 }
      _ = try? FileNames.remove(path)
      return nil
    }
    return Data(taking: bytes)
  }

  /// Keeps a derived picture; it is not worth waiting for the disk.
  ///
  /// - Parameters:
  ///   - bytes: The encoded picture.
  ///   - variant: As for `derived(_:ofKey:)`.
  ///   - key: The picture's key.
  ///   - stamp: What the picture's file was when it was read. Where the key has another picture
  ///     by now, or none, nothing is kept.
  /// - Throws: `ImageStoreError`.
  func keepDerived(
    _ bytes: Data, as variant: String, ofKey key: String, madeOf stamp: DiskStamp
  ) throws(ImageStoreError) {
    guard self.stamp(forKey: key) == stamp else { return }
    let name = FileName.name(forKey: key)
    let place = DerivedPlace(variant, of: name, stamp)
    let folder = layout.derivedFolder(name)
    let file = Publication(
      path: folder + "/" + place.fileName, pictureName: name, recordName: place.recordName,
      checksum: Checksum(of: bytes.bytes), key: nil, isDurable: false, isDerived: true)
    do throws(FileFailure) {
      if try FileStatus(ofFile: folder) == nil { try Folder.make(folder, isPrivate: isPrivate) }
      _ = try publish(bytes.bytes, as: file)
    } catch {
      throw ImageStoreError(error, doing: "The thumbnail could not be kept")
    }
    // The picture may have gone meanwhile, and whoever took it has not seen this.
    if self.stamp(forKey: key) != stamp { release(dropDerived(of: name)) }
  }

  /// Deletes all that was derived from a picture.
  /// - Returns: The bytes that it had, which the caller releases.
  func dropDerived(of name: String) -> Int {
    let folder = layout.derivedFolder(name)
    guard let files = try? Folder.entries(of: folder) else { return 0 }
    var byteCount = 0
    for file in files where (try? FileNames.remove(folder + "/" + file.name)) == true {
      byteCount += file.status.byteCount
      let record = DerivedPlace.recordName(of: file.name, name)
      _ = try? FileNames.remove(layout.record(record))
    }
    FileNames.removeFolder(folder)
    return byteCount
  }
}

/// How a derived picture's file is called.
private struct DerivedPlace {
  let fileName: String
  let recordName: String

  init(_ variant: String, of name: String, _ stamp: DiskStamp) {
    fileName =
      "\(FileName.part(variant))@\(stamp.fileNumber)-\(stamp.modified)-\(stamp.byteCount)"
    recordName = Self.recordName(of: fileName, name)
  }

  /// Like a picture's name, of bounded length; no picture's has the `@` of the key.
  static func recordName(of fileName: String, _ name: String) -> String {
    "derived@" + FileName.name(forKey: name + "@" + fileName)
  }
}
