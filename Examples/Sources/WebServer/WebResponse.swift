public import Foundation

/// What a client is told.
public struct WebResponse: Sendable {
  /// What follows the headers.
  public enum Body: Sendable {
    /// These bytes.
    case data(Data)
    /// Whatever somebody writes to the connection, headers included, from now to its end.
    case connection(@Sendable (OpenConnection) -> Void)
  }

  /// The status by its number, 200 for instance.
  public var status: Int
  /// The headers' names and values.
  public var headers: [String: String]
  /// What follows them.
  public var body: Body

  /// Makes a response.
  public init(status: Int = 200, headers: [String: String] = [:], body: Data = Data()) {
    self.status = status
    self.headers = headers
    self.body = .data(body)
  }

  /// Makes a response of a media type.
  public init(status: Int = 200, _ mediaType: String, _ body: Data) {
    self.init(status: status, headers: ["Content-Type": mediaType], body: body)
  }

  /// A sentence for people.
  public static func sentence(_ status: Int, _ sentence: String) -> WebResponse {
    WebResponse(status: status, "text/plain; charset=utf-8", Data((sentence + "\n").utf8))
  }

  /// Somebody else takes the connection.
  ///
  /// - Parameter take: Called once, on any thread; it has the connection until its end.
  /// - Returns: The response.
  public static func connection(
    _ take: @escaping @Sendable (OpenConnection) -> Void
  ) -> WebResponse {
    var response = WebResponse()
    response.body = .connection(take)
    return response
  }
}
