/// Who answers requests.
public protocol WebHandling: Sendable {
  /// Looks at a request before its body is received.
  ///
  /// - Parameter request: The request, its body empty.
  /// - Returns: Why it is refused: the body is not kept then. nil for going on.
  func refusal(of request: WebRequest) -> WebResponse?

  /// The most bytes that the body of a request may have.
  func bodyLimit(of request: WebRequest) -> Int

  /// Answers a request, together with others.
  func response(to request: WebRequest) async -> WebResponse
}
