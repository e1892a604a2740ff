public import Foundation
public import Imaging

/// The twins for tasks. They suspend where the others block; what is in memory is had without that.
///
/// Where several tasks and threads wait for one picture, it is read once. A task that is cancelled
/// no longer waits, and what nobody waits for is not begun.
extension ImageStore {
  /// As ``image(forKey:)``.
  ///
  /// - Parameter key: The key.
  /// - Returns: The picture; nil where the key has none, or had one that was found damaged.
  /// - Throws: ``ImageStoreError``, or `CancellationError` where the task was cancelled first.
  public func loadImage(forKey key: String) async throws -> Image? {
    try await tiers.picture(.init(key: key), .wanted)
  }

  /// As ``thumbnail(forKey:maxPixelSize:)``.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - maxPixelSize: The longer side, in pixels, 1 at least.
  /// - Returns: The thumbnail; nil where the key has no picture, or had one that was found damaged.
  /// - Throws: ``ImageStoreError``, or `CancellationError` where the task was cancelled first.
  public func loadThumbnail(forKey key: String, maxPixelSize: Int) async throws -> Image? {
    try await tiers.picture(.init(key: key, maxPixelSize: maxPixelSize), .wanted)
  }

  /// As ``encodedData(forKey:)``.
  ///
  /// - Parameter key: The key.
  /// - Returns: The bytes; nil where the key has no picture, or had one that was found damaged.
  /// - Throws: ``ImageStoreError``.
  public func loadEncodedData(forKey key: String) async throws(ImageStoreError) -> Data? {
    try await tiers.perform { () throws(ImageStoreError) in try self.encodedData(forKey: key) }
  }

  /// As ``setImage(_:forKey:compressionQuality:)``. A picture that is being kept is kept, also
  /// where the task is cancelled.
  ///
  /// - Parameters:
  ///   - image: The picture.
  ///   - key: The key.
  ///   - compressionQuality: For a picture that has to be encoded, 0 to 1.
  /// - Throws: ``ImageStoreError``.
  public func storeImage(
    _ image: Image, forKey key: String, compressionQuality: Double = 0.9
  ) async throws(ImageStoreError) {
    try await tiers.perform { () throws(ImageStoreError) in
      try self.setImage(image, forKey: key, compressionQuality: compressionQuality)
    }
  }

  /// As ``setEncodedData(_:forKey:)``.
  ///
  /// - Parameters:
  ///   - data: The bytes of a picture file.
  ///   - key: The key.
  /// - Throws: ``ImageStoreError``.
  public func storeEncodedData(_ data: Data, forKey key: String) async throws(ImageStoreError) {
    try await tiers.perform { () throws(ImageStoreError) in
      try self.setEncodedData(data, forKey: key)
    }
  }

  /// As ``deleteImage(forKey:)``.
  ///
  /// - Parameter key: The key.
  /// - Throws: ``ImageStoreError``.
  public func removeImage(forKey key: String) async throws(ImageStoreError) {
    try await tiers.perform { () throws(ImageStoreError) in try self.deleteImage(forKey: key) }
  }

  /// As ``keys()``.
  ///
  /// - Returns: The keys that have pictures, in no order.
  /// - Throws: ``ImageStoreError``.
  public func loadKeys() async throws(ImageStoreError) -> [String] {
    try await tiers.perform { () throws(ImageStoreError) in try self.keys() }
  }

  /// As ``removeAll()``.
  ///
  /// - Throws: ``ImageStoreError``.
  public func removeAllImages() async throws(ImageStoreError) {
    try await tiers.perform { () throws(ImageStoreError) in try self.removeAll() }
  }

  /// Reads pictures into memory that will be wanted soon, when nothing else is to be read.
  ///
  /// Pictures that are not there or cannot be read are left out: who asks for them learns why.
  ///
  /// - Parameters:
  ///   - keys: The keys, the most wanted in front.
  ///   - maxPixelSize: For thumbnails, their longer side in pixels; nil for the pictures
  ///     themselves.
  /// - Returns: A task that ends when all are there. Cancelling it begins no more of them.
  @discardableResult
  public func prefetchImages(
    forKeys keys: [String], maxPixelSize: Int? = nil
  ) -> Task<Void, Never> {
    Task.detached(priority: .utility) { [tiers] in
      for key in keys where !Task.isCancelled {
        _ = try? await tiers.picture(.init(key: key, maxPixelSize: maxPixelSize), .ahead)
      }
    }
  }
}
