public import Foundation

/// What a client asks for. Everything in it is foreign.
public struct WebRequest: Sendable {
  /// `GET`, `POST` and so on, as it was sent.
  public let method: String
  /// The path, with its percent signs decoded: for comparing, never for a file system.
  public let path: String
  /// What stands behind the question mark; of values under one name the last.
  public let query: [String: String]
  /// The headers by their names in lower case; values under one name joined by commas.
  public let headers: [String: String]
  /// What was sent behind the headers; empty while only these are there.
  public var body = Data()

  /// Makes a request; for servers and tests.
  public init(
    method: String = "GET", path: String, query: [String: String] = [:],
    headers: [String: String] = [:], body: Data = Data()
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.headers = headers
    self.body = body
  }

  /// The parts of the path between its slashes; `["api", "items"]` for `/api/items`.
  public var components: [String] {
    path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
  }

  /// Whether the request may change something.
  public var isWrite: Bool { method != "GET" && method != "HEAD" }

  /// The value of a cookie.
  public func cookie(_ name: String) -> String? {
    for pair in (headers["cookie"] ?? "").split(separator: ";") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, parts[0].drop(while: { $0 == " " }) == name else { continue }
      return String(parts[1])
    }
    return nil
  }
}
