import CaptureKitLibrary
import Foundation
import Imaging

/// What a page of the library shows.
struct LibraryPage: Sendable {
  /// Which of the library, counted from the newest.
  let range: Range<Int>
  var assets: [PhotoLibrary.Asset] = []
  var thumbnails: [PhotoLibrary.Asset.ID: Image] = [:]
  /// Counts what has come.
  var revision = 0

  /// One of the page.
  ///
  /// - Parameter index: Counted from the newest of the library.
  /// - Returns: nil where it is not there, or not yet.
  func asset(at index: Int) -> PhotoLibrary.Asset? {
    let place = index - range.lowerBound
    return assets.indices.contains(place) ? assets[place] : nil
  }

  /// What one is called below the page.
  func title(at index: Int) -> String? {
    asset(at: index).map { asset in
      let date = asset.captureDate.formatted(.iso8601.year().month().day().dateSeparator(.dash))
      let kind = asset.mediaType == .movie ? " · movie" : ""
      return "\(asset.url.lastPathComponent) · \(date)\(kind)"
    }
  }
}

extension CameraProgram {
  /// Asks for the page that is to be shown.
  ///
  /// - Parameter anew: Whether also that which is there already.
  func loadPage(anew: Bool) {
    guard let library, anew || machine.grid.page != page?.range else { return }
    let range = machine.grid.page
    if page?.range != range { page = LibraryPage(range: range) }
    pageLoading?.cancel()
    var new = LibraryPage(range: range, revision: (page?.revision ?? 0) + 1)
    new.thumbnails = page?.thumbnails ?? [:]
    pageLoading = Task { [tell] in
      do {
        tell.yield(.machine(.counted(try await library.assetCount())))
        new.assets = try await library.assets(range: range)
        tell.yield(.page(new))
        for asset in new.assets {
          // One that cannot be read has an empty place.
          let image = try? await library.thumbnail(of: asset, maxPixelSize: 256)
          try Task.checkCancellation()
          new.thumbnails[asset.id] = image
          new.revision += 1
          tell.yield(.page(new))
        }
      } catch {
        if !(error is CancellationError) { tell.yield(.machine(.refused("\(error)"))) }
      }
    }
  }
}
