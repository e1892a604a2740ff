import CaptureKitLibrary
import CaptureKitLinux
import CaptureKitMovie
import ExampleSupport
import Foundation
import Glibc
import Imaging

/// Brings what was picked to where it is to be.
struct ResultKeeper {
  /// Where it goes, where that is no file.
  let library: PhotoLibrary?
  /// Where it goes instead.
  let output: URL?

  /// Keeps it: whole, or not at all. What the library has as it is stays there.
  ///
  /// - Returns: The file.
  func keep(_ media: PickedMedia) async throws -> URL {
    guard let image = media.image else { return try await keepMovie(media) }
    let isChanged = media.editingOutcome != .unchanged && media.editingOutcome != nil
    if let output { return try write(image, to: output) }
    if let asset = media.asset, !isChanged { return asset.url }
    guard let library else { throw noPlace }
    return try await library.add(image).url
  }

  private func keepMovie(_ media: PickedMedia) async throws -> URL {
    guard let url = media.mediaURL else { throw noPlace }
    if let output {
      let place = output.named(as: url.pathExtension)
      let draft = place.deletingLastPathComponent()
        .appending(path: ".\(place.lastPathComponent).\(UUID().uuidString)")
      do {
        if media.asset == nil {
          try FileManager.default.moveItem(at: url, to: draft)
        } else {
          try FileManager.default.copyItem(at: url, to: draft)
        }
        guard rename(draft.path, place.path) == 0 else { throw failure(place, errno) }
      } catch {
        try? FileManager.default.removeItem(at: draft)
        throw error as? Failure ?? failure(place, nil)
      }
      return place
    }
    if media.asset != nil { return url }
    guard let library else { throw noPlace }
    return try await library.add(movieAt: url).url
  }

  private func write(_ image: Image, to output: URL) throws -> URL {
    let place: URL
    let data: Data?
    if output.pathExtension.lowercased() == "png" {
      (place, data) = (output, image.pngData())
    } else {
      let isJPEG = image.format == .jpeg || image.encodedData == nil
      place = output.named(as: isJPEG ? "jpg" : image.format?.fileExtension ?? "jpg")
      data = image.encodedData ?? image.jpegData(compressionQuality: 0.95)
    }
    guard let data else { throw Failure(.inputOutput, "The picture cannot be encoded.") }
    do {
      try data.write(to: place, options: .atomic)
    } catch {
      throw failure(place, nil)
    }
    return place
  }

  private var noPlace: Failure {
    Failure(
      .unavailable, "There is no library for it: name a folder with --folder, or a file with -o")
  }

  private func failure(_ place: URL, _ number: Int32?) -> Failure {
    let reason = number.map { ": \(String(cString: strerror($0)))" } ?? ""
    return Failure(
      .cannotCreate, "\(place.path) cannot be written\(reason); look at its folder, or use -o")
  }
}

extension URL {
  /// The same file with the ending of what is in it, unless it has that.
  fileprivate func named(as ending: String) -> URL {
    let own = pathExtension.lowercased()
    if own == ending || (own == "jpeg" && ending == "jpg") || ending.isEmpty { return self }
    return deletingPathExtension().appendingPathExtension(ending)
  }
}
