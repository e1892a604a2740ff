import ExampleSupport
import Foundation
import WebServer

/// The page and what belongs to it, read once from the package's bundle: no request leads to a
/// file.
struct Page: Sendable {
  private let resources: [String: WebResponse]

  private static let mediaTypes = [
    "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml",
  ]

  init() throws {
    guard
      let folder = Bundle.module.url(forResource: "index", withExtension: "html")?
        .deletingLastPathComponent(),
      let files = try? FileManager.default.contentsOfDirectory(
        at: folder, includingPropertiesForKeys: nil), !files.isEmpty
    else {
      throw Failure(.software, "The program's resources are missing: build it again.")
    }
    var resources: [String: WebResponse] = [:]
    for file in files {
      guard let type = Self.mediaTypes[file.pathExtension] else { continue }
      let name = file.lastPathComponent == "index.html" ? "/" : "/\(file.lastPathComponent)"
      resources[name] = WebResponse(
        headers: ["Content-Type": type, "Cache-Control": "no-cache"],
        body: try Data(contentsOf: file))
    }
    self.resources = resources
  }

  /// The resource of a path; nil where there is none.
  subscript(path: String) -> WebResponse? { resources[path] }
}
