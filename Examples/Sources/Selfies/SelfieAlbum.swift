public import CaptureKitLibrary
public import Foundation
public import Imaging

/// The selfies that were taken: picture files in a folder, which other programs may change too.
public final class SelfieAlbum: Sendable {
  /// The folder.
  public let folder: URL
  private let library: PhotoLibrary

  /// Opens an album; the folder is made when the first selfie comes.
  ///
  /// - Parameter folder: The folder; nil for `Selfies` in the user's pictures folder.
  /// - Throws: `LibraryError`.
  public init(folder: URL? = nil) throws {
    let pictures = FileManager.default.urls(for: .picturesDirectory, in: .userDomainMask).first
    self.folder =
      folder
      ?? (pictures ?? URL.homeDirectory.appending(path: "Pictures")).appending(path: "Selfies")
    library = try PhotoLibrary(folders: [self.folder])
  }

  /// All selfies, the newest first.
  ///
  /// - Throws: `CancellationError` where the task was cancelled first.
  public func selfies() async throws -> [Selfie] {
    let count = try await library.assetCount(mediaTypes: [.image])
    return try await library.assets(mediaTypes: [.image], range: 0..<count).map(Selfie.init)
  }

  /// Tells when the list is another; a slow reader is told once of several changes.
  public var changes: PhotoLibrary.Changes { library.changes }

  /// Keeps a photo.
  ///
  /// - Throws: `LibraryError` where it cannot be written.
  public func add(_ photo: Image) async throws -> Selfie {
    Selfie(asset: try await library.add(photo))
  }

  /// A small picture of a selfie, upright.
  ///
  /// - Throws: `LibraryError` where its file cannot be read, or `CancellationError`.
  public func thumbnail(of selfie: Selfie, maxPixelSize: Int) async throws -> Image {
    try await library.thumbnail(of: selfie.asset, maxPixelSize: maxPixelSize)
  }

  /// A selfie as large as it is to be seen, upright.
  ///
  /// - Throws: `LibraryError` or `ImagingError` where its file cannot be read.
  public func picture(of selfie: Selfie, maxPixelSize: Int) async throws -> Image {
    try await library.loadImage(of: selfie.asset).thumbnail(maxPixelSize: maxPixelSize)
  }

  /// Puts a selfie into the user's trash, where a file manager restores it from.
  ///
  /// - Throws: `LibraryError`; the selfie is where it was then.
  public func delete(_ selfie: Selfie) async throws { try await library.trash(selfie.asset) }

  /// Gives a selfie's file another name; a number is added where another selfie has the title.
  ///
  /// - Parameters:
  ///   - selfie: The selfie.
  ///   - title: The new title; what a file's name cannot have is left out.
  /// - Returns: The new file; the same one where nothing is left of the title.
  /// - Throws: What the file manager throws; the file has its old name then.
  public func rename(_ selfie: Selfie, to title: String) throws -> URL {
    let old = selfie.url
    guard let name = Selfie.fileName(for: title), name != selfie.title else { return old }
    for number in 1...999 {
      let new = old.deletingLastPathComponent().appending(
        path: (number == 1 ? name : "\(name) \(number)") + "." + old.pathExtension)
      if new.path == old.path { return old }
      do {
        try FileManager.default.moveItem(at: old, to: new)
        return new
      } catch CocoaError.fileWriteFileExists {
        continue
      }
    }
    throw CocoaError(.fileWriteFileExists)
  }
}
