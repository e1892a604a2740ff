public import Foundation
public import Imaging
import LinuxSystem

/// Pictures by key: in memory while there is room, on the disk always, each in a file that any
/// program can open.
///
/// ```swift
/// let images = try ImageStore(directory: picturesURL)
/// try images.setImage(photo.image, forKey: item.itemKey)
/// let picture = try images.image(forKey: item.itemKey)
/// let small = try await images.loadThumbnail(forKey: item.itemKey, maxPixelSize: 320)
/// ```
///
/// Keys are strings of any content and length; two keys are the same where Swift says that
/// the strings are equal. All calls may come from any thread. A picture that is in memory is had
/// at once; other calls block for as long as the disk takes, and have twins for tasks, which
/// suspend instead: ``loadImage(forKey:)``, ``storeImage(_:forKey:compressionQuality:)`` and so on.
///
/// What one call has done, each later one sees, in all stores of this process that use the
/// folder. After ``deleteImage(forKey:)`` has returned no read returns the picture, whatever was
/// under way. Other processes' stores see it at once where they read the disk, and within a second
/// where they have the picture in memory.
///
/// A picture is kept with a checksum. One that is not what was kept is never returned: its file
/// is set aside, into the hidden folder `.imagestore/damaged`, and the key has no picture. A
/// picture that somebody else puts into the folder, under the name of ``imageURL(forKey:)``, is
/// the key's picture, once it is all there. Programs that change a file in place instead of
/// replacing it leave one that cannot be told from a damaged one; it is set aside too.
///
/// Where the folder is deleted, moved or replaced, the store goes on with what is at its path, and
/// makes it anew for the next picture. Of a folder above it that is moved the kernel does not tell:
/// pictures that are in memory are had until they leave it; ``flushMemory()`` lets go of them.
public final class ImageStore: Sendable {
  let tiers: StoreTiers
  /// The memory tier's. Reached in one step: on a way over several objects each is retained, and threads
  /// that read at the same time would wait for each other's counts.
  private let pictures: MemoryStorage
  /// Nil where there is no room for a watch: nothing is kept in memory then, since nobody tells
  /// when it is not right any more.
  private let observer: DiskObserver?
  private let pressure: MemoryPressureSubscription?

  /// Opens a folder of pictures and makes it where it is missing.
  ///
  /// - Parameters:
  ///   - directory: The folder. Should it be deleted later, the next picture makes it anew.
  ///   - memory: How much is kept in memory.
  ///   - disk: What pictures survive, and how many are kept.
  /// - Throws: ``ImageStoreError`` where the folder cannot be made.
  public convenience init(
    directory: URL, memory: MemoryOptions = MemoryOptions(), disk: DiskOptions = DiskOptions()
  ) throws(ImageStoreError) {
    self.init(memory, try DiskTier(url: directory, options: disk))
  }

  /// Opens the program's own pictures, `$XDG_DATA_HOME/<program>/images`.
  ///
  /// A folder that has to be made is the user's alone.
  ///
  /// - Throws: ``ImageStoreError`` where the folder cannot be made.
  public convenience init() throws(ImageStoreError) {
    let url = URL(filePath: XDGDirectories().dataOfProgram, directoryHint: .isDirectory)
      .appending(path: "images", directoryHint: .isDirectory)
    self.init(MemoryOptions(), try DiskTier(url: url, isPrivate: true))
  }

  init(_ memory: MemoryOptions, _ disk: DiskTier) {
    let tiers = StoreTiers(memory: PictureMemory(memory), disk: disk)
    self.tiers = tiers
    pictures = tiers.memory.storage
    observer = try? DiskObserver(disk) { tiers.notice($0) }
    if observer == nil { tiers.memory.turnOff() }
    pressure = memory.pressure?.subscribe { tiers.memory.relieve($0) }
    StoreNeighbours.shared.add(tiers)
  }

  deinit { StoreNeighbours.shared.remove(tiers) }

  // MARK: - Pictures

  /// Keeps a picture and replaces the one that the key had.
  ///
  /// When the call returns, the picture is on the disk, whole, and survives what
  /// ``DiskOptions/durability`` says; when it throws, the key still has the picture it had before.
  ///
  /// - Parameters:
  ///   - image: The picture. Where it has encoded bytes, a camera's for instance, they are kept as
  ///     they are; otherwise it is encoded as JPEG.
  ///   - key: The key.
  ///   - compressionQuality: For a picture that has to be encoded, 0 to 1.
  /// - Throws: ``ImageStoreError``: `noSpace`, `notPermitted`, `readOnly`, `tooLarge`,
  ///   `notEncodable` or `failed`.
  public func setImage(
    _ image: Image, forKey key: String, compressionQuality: Double = 0.9
  ) throws(ImageStoreError) {
    if let bytes = image.encodedData {
      return try tiers.keep(bytes, as: image, forKey: key)
    }
    guard let bytes = image.jpegData(compressionQuality: compressionQuality) else {
      throw ImageStoreError(
        .notEncodable, "The picture for “\(key)” has no bytes and could not be encoded as JPEG")
    }
    // What is in memory is what a restart would find.
    try tiers.keep(bytes, as: try? Image(bytes), forKey: key)
  }

  /// The picture of a key.
  ///
  /// - Parameter key: The key.
  /// - Returns: The picture; nil where the key has none, or had one that was found damaged.
  /// - Throws: ``ImageStoreError`` where there is a file, but it cannot be read; `damaged` where
  ///   its bytes are what was kept and no picture that can be decoded.
  public func image(forKey key: String) throws(ImageStoreError) -> Image? {
    // Nothing else before this: what is in memory is had without a request's counts and copies.
    if let picture = pictures.picture(forKey: key) { return picture }
    return try tiers.load(.init(key: key))
  }

  /// Deletes the picture of a key, at once; a key without a picture is right.
  ///
  /// - Parameter key: The key.
  /// - Throws: ``ImageStoreError`` where there is a picture that could not be deleted.
  public func deleteImage(forKey key: String) throws(ImageStoreError) {
    try tiers.delete(key)
  }

  /// The file of a key's picture, whether there is one or not.
  ///
  /// Its name ends in `.jpg`, whatever kind of picture it holds: it has to be known before there
  /// is one, and programs go by the content.
  ///
  /// - Parameter key: The key.
  /// - Returns: A file's address. It depends on the folder and the key alone.
  public func imageURL(forKey key: String) -> URL {
    tiers.disk.fileURL(forKey: key)
  }

  // MARK: - Encoded data

  /// Keeps an encoded picture as it is and replaces the one that the key had.
  ///
  /// Nothing is decoded: it is only looked whether the bytes begin like a picture of a kind that
  /// `ImageFormat` knows. One that this library cannot decode is kept too.
  ///
  /// - Parameters:
  ///   - data: The bytes of a picture file.
  ///   - key: The key.
  /// - Throws: ``ImageStoreError``: `notAPicture`, or as
  ///   ``setImage(_:forKey:compressionQuality:)`` does.
  public func setEncodedData(_ data: Data, forKey key: String) throws(ImageStoreError) {
    guard ImageFormat(recognizing: data.bytes) != nil else {
      throw ImageStoreError(.notAPicture, "What was to be kept for “\(key)” begins like no picture")
    }
    try tiers.keep(data, as: nil, forKey: key)
  }

  /// The bytes of a key's picture, as they were kept.
  ///
  /// - Parameter key: The key.
  /// - Returns: The bytes; nil where the key has no picture, or had one that was found damaged.
  /// - Throws: ``ImageStoreError`` where there is a file, but it cannot be read.
  public func encodedData(forKey key: String) throws(ImageStoreError) -> Data? {
    try tiers.bytes(key)
  }

  // MARK: - Thumbnails

  /// A small picture of a key's picture: made once, kept beside it on the disk and in memory, and
  /// never found again once it is replaced or gone.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - maxPixelSize: The longer side, in pixels, 1 at least; see
  ///     `Image.thumbnail(maxPixelSize:)`.
  /// - Returns: The thumbnail; nil where the key has no picture, or had one that was found damaged.
  /// - Throws: ``ImageStoreError`` as ``image(forKey:)`` does; `damaged` too where no thumbnail can
  ///   be made of the picture; `failed` for less than one pixel.
  public func thumbnail(forKey key: String, maxPixelSize: Int) throws(ImageStoreError) -> Image? {
    let request = KeyTraffic.Request(key: key, maxPixelSize: maxPixelSize)
    if let picture = tiers.remembered(request) { return picture }
    return try tiers.load(request)
  }

  // MARK: - All pictures

  /// The keys that have pictures, in no order; strings that are equal to those that were used.
  ///
  /// - Throws: ``ImageStoreError`` where the folder cannot be read.
  public func keys() throws(ImageStoreError) -> [String] { try tiers.disk.keys() }

  /// Deletes all pictures, at once. Files in the folder that are no key's picture stay.
  ///
  /// - Throws: ``ImageStoreError`` where one could not be deleted; others may be gone by then.
  public func removeAll() throws(ImageStoreError) { try tiers.deleteAll() }

  /// Lets go of all pictures in memory; they are read from the disk when they are asked for again.
  public func flushMemory() { _ = tiers.memory.removeAll() }

  /// What the store has done and holds.
  public var statistics: Statistics { Statistics(tiers.memory.statistics, tiers.disk.statistics) }
}
