public import CaptureKitLinux
public import Foundation
public import Imaging
import LinuxSystem
import Synchronization

extension PhotoLibrary {
  /// Keeps a photo: the camera's file, as it is.
  ///
  /// The file is there whole or not at all, whatever happens, under a name that no other had:
  /// `IMG_20261201_093015.jpg` by the moment that it was taken, which is also the file's date. When
  /// the call returns it is on the disk and in the list.
  ///
  /// - Parameters:
  ///   - photo: The photo.
  ///   - album: Where to; nil for the pictures folder, which is made where it is missing.
  /// - Returns: The new asset.
  /// - Throws: ``LibraryError``: `diskFull`, `notPermitted`, `noFolder`, `cannotWrite`,
  ///   `outsideLibrary` for an album of another library; `CaptureError` of a photo that failed. No
  ///   file is left then.
  @discardableResult
  public func add(_ photo: CapturePhoto, to album: Album? = nil) async throws -> Asset {
    // A photo that failed says why.
    let image = try photo.image
    return try await add(image, to: album)
  }

  /// Keeps a picture: the bytes that it came in or, where it has none, a JPEG made of its pixels.
  ///
  /// - Parameters:
  ///   - image: The picture; its metadata says when it was taken, else it is now.
  ///   - album: As for ``add(_:to:)-(CapturePhoto,_)``.
  /// - Returns: The new asset.
  /// - Throws: As ``add(_:to:)-(CapturePhoto,_)``; `unsupportedPicture` for one that can be neither
  ///   kept nor encoded.
  @discardableResult
  public func add(_ image: Image, to album: Album? = nil) async throws -> Asset {
    let placing = try placing(.image, album)
    let root = placing.folder
    return try await perform {
      guard let data = image.encodedData ?? image.jpegData(compressionQuality: 0.95) else {
        throw LibraryError(
          .unsupportedPicture, "The picture for \(root.shown) can neither be kept nor encoded.")
      }
      let metadata = image.metadata
      let name = AddedName(
        "IMG", metadata.dateTaken ?? Date(), secondsFromGMT: metadata.timeZoneOffset,
        fileExtension: (image.format ?? .jpeg).fileExtension)
      let modified = metadata.dateTaken.flatMap(Self.nanoseconds)
      return try self.enlist(placing.place(data, name, modified: modified), .image)
    }
  }

  /// Keeps a movie.
  ///
  /// - Parameters:
  ///   - url: The movie's file.
  ///   - album: Where to; nil for the videos folder, which is made where it is missing.
  ///   - isCopied: Whether the file stays where it is; otherwise it is moved, to another disk by
  ///     copying it before it goes.
  /// - Returns: The new asset, `VID_20261201_093015.mkv` for instance.
  /// - Throws: As ``add(_:to:)-(CapturePhoto,_)``; `cannotRead` where there is no such file. The
  ///   movie is where it was then.
  @discardableResult
  public func add(
    movieAt url: URL, to album: Album? = nil, copying isCopied: Bool = false
  ) async throws -> Asset {
    guard let source = RawPath(url) else {
      throw LibraryError(.cannotRead, "\(url) is no file's address: name a movie's file.")
    }
    let placing = try placing(.movie, album)
    let isCancelled = Atomic(false)
    let path = try await withTaskCancellationHandler {
      try await perform {
        let name = try Self.name(ofMovie: source)
        let goesOn = { !isCancelled.load(ordering: .relaxed) }
        return isCopied
          ? try placing.copy(source, name, while: goesOn)
          : try placing.move(source, name, while: goesOn)
      }
    } onCancel: {
      isCancelled.store(true, ordering: .relaxed)
    }
    guard let path else { throw CancellationError() }
    return try await perform { try self.enlist(path, .movie) }
  }

  private static func name(ofMovie path: RawPath) throws(LibraryError) -> AddedName {
    let stamp: FileStamp?
    do throws(FileFailure) {
      stamp = try FileStamp(ofFile: path)
    } catch {
      throw LibraryError(
        .cannotRead, "\(path.shown) cannot be read: \(error.explanation)",
        errno: error.errno.rawValue)
    }
    guard let stamp else {
      throw LibraryError(.cannotRead, "There is no file \(path.shown): check its path.")
    }
    let fileDate = Date(timeIntervalSince1970: Double(stamp.modified) / 1e9)
    let ending = path.name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    let fileExtension =
      ending.count > 1 ? String(decoding: ending[ending.count - 1], as: UTF8.self) : ""
    return AddedName(
      "VID", MovieLook.captureDate(of: path) ?? fileDate,
      fileExtension: fileExtension.utf8.count <= 16 ? fileExtension.lowercased() : "")
  }

  /// Where something goes.
  private func placing(
    _ kind: LibraryEntry.Kind, _ album: Album?
  ) throws(LibraryError) -> FilePlacing {
    guard let album else {
      guard let root = places[kind] else {
        throw LibraryError(.noFolder, "The library has no folder for this kind of media.")
      }
      return FilePlacing(folder: root, root: root)
    }
    guard let folder = RawPath(percentEncoded: album.id), root(of: folder) != nil else {
      throw LibraryError(
        .outsideLibrary, "The album \(album.title) does not lie in a folder of the library.")
    }
    return FilePlacing(folder: folder, root: nil)
  }

  /// Brings a new file into the list.
  private func enlist(
    _ path: RawPath, _ kind: LibraryEntry.Kind
  ) throws(LibraryError) -> Asset {
    let gone = LibraryError(.noAsset, "Somebody has taken \(path.shown) away at once.")
    guard let stamp = try? FileStamp(ofFile: path),
      let entry = MediaLook.look(at: LibraryEntry(path: path, stamp: stamp, kind: kind)),
      let asset = Asset(entry, roots: core.roots)
    else { throw gone }
    core.insert(entry)
    if core.roots.contains(path.folder) { core.requestScan(ofNew: path.folder) }
    return asset
  }

  private static func nanoseconds(_ date: Date) -> Int64? {
    Int64(exactly: (date.timeIntervalSince1970 * 1e6).rounded()).flatMap {
      let (product, isTooMuch) = $0.multipliedReportingOverflow(by: 1000)
      return isTooMuch ? nil : product
    }
  }
}
