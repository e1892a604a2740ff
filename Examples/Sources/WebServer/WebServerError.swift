/// Why a server cannot be.
public struct WebServerError: Error, CustomStringConvertible {
  /// One sentence that says what to do.
  public let description: String

  init(_ description: String) { self.description = description }
}
