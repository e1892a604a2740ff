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
public final class ImageStore: Sendable {
  private let folder: PictureFolder

  /// Opens a folder of pictures and makes it where it is missing.
  ///
  /// - Parameter directory: The folder. Should it be deleted later, the next picture makes it anew.
  /// - Throws: ``ImageStoreError`` where the folder cannot be made.
  public convenience init(directory: URL) throws(ImageStoreError) {
    self.init(try PictureFolder(url: directory, isPrivate: false))
  }

  /// Opens the program's own pictures, `$XDG_DATA_HOME/<program>/images`.
  ///
  /// A folder that has to be made is the user's alone.
  ///
  /// - Throws: ``ImageStoreError`` where the folder cannot be made.
  public convenience init() throws(ImageStoreError) {
    let url = URL(filePath: XDGDirectories().dataOfProgram, directoryHint: .isDirectory)
      .appending(path: "images", directoryHint: .isDirectory)
    self.init(try PictureFolder(url: url, isPrivate: true))
  }

  private init(_ folder: PictureFolder) { self.folder = folder }

  /// Keeps a picture and replaces the one that the key had.
  ///
  /// When the call returns, the picture is on the disk, whole; when it throws, the key still has
  /// the picture it had before.
  ///
  /// - Parameters:
  ///   - image: The picture. Where it has encoded bytes, a camera's for instance, they are kept as
  ///     they are; otherwise it is encoded as JPEG of quality 0.9.
  ///   - key: The key.
  /// - Throws: ``ImageStoreError``: `noSpace`, `notPermitted`, `readOnly`, `notEncodable` or `failed`.
  public func setImage(_ image: Image, forKey key: String) throws(ImageStoreError) {
    guard let bytes = image.encodedData ?? image.jpegData(compressionQuality: 0.9) else {
      throw ImageStoreError(
        .notEncodable, "The picture for “\(key)” has no bytes and could not be encoded as JPEG")
    }
    try folder.write(bytes, forKey: key)
  }

  /// The picture of a key.
  ///
  /// - Parameter key: The key.
  /// - Returns: The picture; nil only where the key has none.
  /// - Throws: ``ImageStoreError`` where there is a picture, but it cannot be read; `damaged` where
  ///   its bytes are no picture.
  public func image(forKey key: String) throws(ImageStoreError) -> Image? {
    guard let bytes = try folder.read(forKey: key) else { return nil }
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
    try folder.delete(forKey: key)
  }

  /// The file of a key's picture, whether there is one or not.
  ///
  /// Its name ends in `.jpg`, whatever kind of picture it holds: it has to be known before there is one, and
  /// programs go by the content.
  ///
  /// - Parameter key: The key.
  /// - Returns: A file's address. It depends on the folder and the key alone.
  public func imageURL(forKey key: String) -> URL {
    folder.fileURL(forKey: key)
  }
}
