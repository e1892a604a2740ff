import Foundation
import Glibc
import Imaging
import TestSupport
import Testing

@testable import CaptureKitLibrary

/// A folder of pictures of a test's own, with a cache and a trash beside it.
struct PictureFolder {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    folder.folder("pictures")
  }

  var path: String { folder.path("pictures") }
  var url: URL { URL(filePath: path, directoryHint: .isDirectory) }
  var cache: URL { URL(filePath: folder.path("cache"), directoryHint: .isDirectory) }

  func library() throws -> PhotoLibrary { try PhotoLibrary(folders: [url], cacheDirectory: cache) }

  /// A small picture's bytes, with a date in seconds since 1970, or none.
  static func jpeg(
    taken date: Double? = nil, orientation: ImageOrientation = .up, width: Int = 24,
    height: Int = 16
  ) throws -> Data {
    var metadata = ImageMetadata()
    metadata.dateTaken = date.map { Date(timeIntervalSince1970: $0) }
    metadata.timeZoneOffset = 0
    metadata.orientation = orientation
    return try JPEGEncoder().encode(pixels(width, height), metadata: metadata)
  }

  static func pixels(_ width: Int, _ height: Int) throws -> PixelBuffer {
    let layout = try #require(PixelLayout(format: .bgra, width: width, height: height))
    let bytes = [UInt8](repeating: 120, count: layout.byteCount(ofBlock: 0))
    return try #require(PixelBuffer(layout: layout, bytes: bytes))
  }

  /// Writes a file into the pictures, with a date of its own.
  @discardableResult
  func put(_ name: String, _ data: Data, modified: Double? = nil) throws -> String {
    let path = path + "/" + name
    folder.folder("pictures/" + name.split(separator: "/").dropLast().joined(separator: "/"))
    try data.write(to: URL(filePath: path))
    if let modified { Self.setModified(path, modified) }
    return path
  }

  static func setModified(_ path: String, _ seconds: Double) {
    let time = timespec(tv_sec: Int(seconds), tv_nsec: 0)
    utimensat(AT_FDCWD, path, [time, time], 0)
  }

  func names(_ assets: [PhotoLibrary.Asset]) -> [String] {
    assets.map { String($0.url.path.dropFirst(path.count + 1)) }
  }
}
