public import CaptureKitLinux
public import Foundation
public import Imaging

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
    throw LibraryError(.cannotWrite, "Nothing can be added.")
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
    throw LibraryError(.cannotWrite, "Nothing can be added.")
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
    throw LibraryError(.cannotWrite, "Nothing can be added.")
  }
}
