public import Foundation
public import Imaging
import LinuxSystem

/// Pictures by key, each in a file that any program can open.
///
/// ```swift
/// let images = try ImageStore(directory: picturesURL)
/// try images.setImage(photo.image, forKey: item.itemKey)
/// let picture = try images.image(forKey: item.itemKey)
/// ```
///
/// Keys are strings of any content and length; two keys are the same where Swift says that
/// the strings are equal. All calls may come from any thread and block for as long as the disk
/// takes. What one call has done, each later one sees, also in other processes.
///
/// A picture is kept with a checksum. One that is not what was kept is never returned: its file
/// is set aside, into the hidden folder `.imagestore/damaged`, and the key has no picture. A
/// picture that somebody else puts into the folder, under the name of ``imageURL(forKey:)``, is
/// the key's picture, once it is all there. Programs that change a file in place instead of
/// replacing it leave one that cannot be told from a damaged one; it is set aside too.
public final class ImageStore: Sendable {
  private let disk: DiskTier

  /// Opens a folder of pictures and makes it where it is missing.
  ///
  /// - Parameters:
  ///   - directory: The folder. Should it be deleted later, the next picture makes it anew.
  ///   - disk: What pictures survive, and how many are kept.
  /// - Throws: ``ImageStoreError`` where the folder cannot be made.
  public convenience init(
    directory: URL, disk: DiskOptions = DiskOptions()
  ) throws(ImageStoreError) {
    self.init(try DiskTier(url: directory, options: disk))
  }

  /// Opens the program's own pictures, `$XDG_DATA_HOME/<program>/images`.
  ///
  /// A folder that has to be made is the user's alone.
  ///
  /// - Throws: ``ImageStoreError`` where the folder cannot be made.
  public convenience init() throws(ImageStoreError) {
    let url = URL(filePath: XDGDirectories().dataOfProgram, directoryHint: .isDirectory)
      .appending(path: "images", directoryHint: .isDirectory)
    self.init(try DiskTier(url: url, isPrivate: true))
  }

  private init(_ disk: DiskTier) { self.disk = disk }

  /// Keeps a picture and replaces the one that the key had.
  ///
  /// When the call returns, the picture is on the disk, whole, and survives what
  /// ``DiskOptions/durability`` says; when it throws, the key still has the picture it had before.
  ///
  /// - Parameters:
  ///   - image: The picture. Where it has encoded bytes, a camera's for instance, they are kept as
  ///     they are; otherwise it is encoded as JPEG of quality 0.9.
  ///   - key: The key.
  /// - Throws: ``ImageStoreError``: `noSpace`, `notPermitted`, `readOnly`, `tooLarge`,
  ///   `notEncodable` or `failed`.
  public func setImage(_ image: Image, forKey key: String) throws(ImageStoreError) {
    guard let bytes = image.encodedData ?? image.jpegData(compressionQuality: 0.9) else {
      throw ImageStoreError(
        .notEncodable, "The picture for “\(key)” has no bytes and could not be encoded as JPEG")
    }
    try disk.write(bytes, forKey: key)
  }

  /// Keeps an encoded picture as it is and replaces the one that the key had.
  ///
  /// Nothing is decoded: it is only looked whether the bytes begin like a picture of a kind that
  /// ``ImageFormat`` knows. One that this library cannot decode is kept too.
  ///
  /// - Parameters:
  ///   - data: The bytes of a picture file.
  ///   - key: The key.
  /// - Throws: ``ImageStoreError``: `notAPicture`, or as ``setImage(_:forKey:)`` does.
  public func setEncodedData(_ data: Data, forKey key: String) throws(ImageStoreError) {
    guard ImageFormat(recognizing: data.bytes) != nil else {
      throw ImageStoreError(.notAPicture, "What was to be kept for “\(key)” begins like no picture")
    }
    try disk.write(data, forKey: key)
  }

  /// The bytes of a key's picture, as they were kept.
  ///
  /// - Parameter key: The key.
  /// - Returns: The bytes; nil where the key has no picture, or had one that was found damaged.
  /// - Throws: ``ImageStoreError`` where there is a file, but it cannot be read.
  public func encodedData(forKey key: String) throws(ImageStoreError) -> Data? {
    try disk.read(forKey: key)?.bytes
  }

  /// The picture of a key.
  ///
  /// - Parameter key: The key.
  /// - Returns: The picture; nil where the key has none, or had one that was found damaged.
  /// - Throws: ``ImageStoreError`` where there is a file, but it cannot be read; `damaged` where
  ///   its bytes are what was kept and no picture that can be decoded.
  public func image(forKey key: String) throws(ImageStoreError) -> Image? {
    guard let bytes = try disk.read(forKey: key)?.bytes else { return nil }
    do throws(ImagingError) {
      return try Image(bytes)
    } catch {
      let path = imageURL(forKey: key).path(percentEncoded: false)
      throw ImageStoreError(.damaged, "\(path) holds no picture that can be read: \(error)")
    }
  }

  /// Deletes the picture of a key, at once; a key without a picture is right.
  ///
  /// - Parameter key: The key.
  /// - Throws: ``ImageStoreError`` where there is a picture that could not be deleted.
  public func deleteImage(forKey key: String) throws(ImageStoreError) {
    try disk.delete(forKey: key)
  }

  /// The file of a key's picture, whether there is one or not.
  ///
  /// Its name ends in `.jpg`, whatever kind of picture it holds: it has to be known before there
  /// is one, and programs go by the content.
  ///
  /// - Parameter key: The key.
  /// - Returns: A file's address. It depends on the folder and the key alone.
  public func imageURL(forKey key: String) -> URL {
    disk.fileURL(forKey: key)
  }

  /// The keys that have pictures, in no order; strings that are equal to those that were used.
  ///
  /// - Throws: ``ImageStoreError`` where the folder cannot be read.
  public func keys() throws(ImageStoreError) -> [String] { try disk.keys() }

  /// Deletes all pictures, at once. Files in the folder that are no key's picture stay.
  ///
  /// - Throws: ``ImageStoreError`` where one could not be deleted; others may be gone by then.
  public func removeAll() throws(ImageStoreError) { try disk.removeAll() }
}
