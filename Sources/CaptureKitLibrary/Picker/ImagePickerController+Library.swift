import CaptureKitMovie
import Foundation
import Imaging
import Synchronization

extension ImagePickerController {
  /// What the user chooses from, the newest first: of ``mediaTypes``, in the source's folders.
  ///
  /// Thumbnails come from ``library``, and its changes tell when to ask anew.
  ///
  /// - Parameters:
  ///   - album: An album of the library, in place of the whole source; nil for that.
  ///   - range: Which of them, counted from 0. Where there are fewer, fewer are returned.
  /// - Returns: The choices.
  /// - Throws: ``LibraryError``: `notPresented` where no library is presented; `CancellationError`
  ///   where the task was cancelled first.
  public func choices(
    in album: PhotoLibrary.Album? = nil, range: Range<Int>
  ) async throws -> [PhotoLibrary.Asset] {
    let (library, setup) = try core.presentedLibrary()
    guard setup.source == .savedPhotosAlbum, album == nil else {
      return try await library.assets(in: album, mediaTypes: setup.mediaTypes, range: range)
    }
    return try await library.looseAssets(mediaTypes: setup.mediaTypes, range: range)
  }

  /// Chooses a picture or a movie, without waiting; ``lastError`` tells where it cannot be used.
  ///
  /// - Parameter asset: One of ``choices(in:range:)``.
  public func choose(_ asset: PhotoLibrary.Asset) {
    Task { [core] in try? await core.select(asset) }
  }

  /// Chooses a picture or a movie; returns when it was read: ``state`` is `editing` or `ended` then.
  ///
  /// What cannot be used, since it is damaged, far too large, of another kind than its name says, or
  /// gone, is refused, and the library stays for the user to choose something else.
  ///
  /// - Parameter asset: One of ``choices(in:range:)``.
  /// - Throws: ``LibraryError``: `notPresented`; `notNow` but while the library is shown;
  ///   `unsupportedMediaType` for what the picker does not offer; `unsupportedPicture`, `tooLarge`,
  ///   `noAsset`, `notPermitted`, `cannotRead` for what cannot be used. `CancellationError` where
  ///   the task was cancelled first.
  public func select(_ asset: PhotoLibrary.Asset) async throws {
    try await core.select(asset)
  }
}

extension PickerCore {
  /// - Throws: ``LibraryError`` with the code `notPresented` where no library is presented.
  func presentedLibrary() throws(LibraryError) -> (PhotoLibrary, PickerMachine.Setup) {
    let (library, machine) = storage.withLock { ($0.settings.library, $0.machine) }
    guard let library, machine.state.isPresented, machine.setup.source != .camera else {
      throw LibraryError(.notPresented, "The picker does not show a library: present one first.")
    }
    return (library, machine.setup)
  }

  func select(_ asset: PhotoLibrary.Asset) async throws {
    var number = 0
    try decide { machine throws(LibraryError) in
      number = machine.number
      return try machine.choose(asset.mediaType)
    }
    do {
      let (library, _) = try presentedLibrary()
      let media = try await PickedMedia(reading: asset, of: library)
      report(of: number) { $0.chose(media) }
    } catch {
      report(of: number) { $0.failedToChoose(error) }
      throw error
    }
  }
}

extension PhotoLibrary {
  /// What is looked through at once.
  private static let stride = 512

  /// What lies directly in the library's folders, not in an album.
  func looseAssets(
    mediaTypes: Set<PickerMediaType>, range: Range<Int>
  ) async throws -> [Asset] {
    var (found, start, skipped) = ([Asset](), 0, max(0, range.lowerBound))
    while found.count < range.count {
      let page = try await assets(
        in: nil, mediaTypes: mediaTypes, range: start..<start + Self.stride)
      for asset in page where asset.album == nil && found.count < range.count {
        if skipped > 0 { skipped -= 1 } else { found.append(asset) }
      }
      guard page.count == Self.stride else { break }
      start += Self.stride
    }
    return found
  }
}

extension PickedMedia {
  /// Reads what was chosen as far as it must be to know that it can be used.
  fileprivate init(
    reading asset: PhotoLibrary.Asset, of library: PhotoLibrary
  ) async throws {
    guard asset.mediaType == .image else {
      self.init(movieAt: library.url(of: asset), asset: asset)
      try await checkMovie()
      return
    }
    let picture = try await library.loadImage(of: asset)
    try await picture.check(asset.url.lastPathComponent)
    self.init(picture: picture, asset: asset)
  }
}
