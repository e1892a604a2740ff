import Foundation

/// Pictures of real cameras, which lie beside the package or nowhere.
enum SharedPictures {
  static let folder: URL? = {
    let beside = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "../../../../shared/pictures")
    let named = ProcessInfo.processInfo.environment["CAPTUREKIT_PICTURES"].map {
      URL(filePath: $0)
    }
    return [named, beside.standardizedFileURL].compactMap { $0 }.first {
      FileManager.default.fileExists(atPath: $0.path)
    }
  }()

  static var areThere: Bool { folder != nil }

  static func data(_ path: String) throws -> Data {
    try Data(contentsOf: require(folder).appending(path: path))
  }

  /// The names of the JPEG pictures of a folder, with it.
  static func names(in name: String) -> [String] {
    guard let folder else { return [] }
    let names = try? FileManager.default.contentsOfDirectory(
      atPath: folder.appending(path: name).path)
    return (names ?? []).filter { $0.hasSuffix(".jpg") }.sorted().map { "\(name)/\($0)" }
  }
}
