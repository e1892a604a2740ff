/// Decides whether a request may come from where it comes.
///
/// Browsers let any page send requests to any server, this one included, and tell where the page
/// came from. A page of another origin gets nothing and changes nothing; nor does one whose name was
/// made to lead here (DNS rebinding): names that nobody has given this server are refused.
public struct WebGuard: Sendable {
  /// A header that every write must have. No page can set it for a server of another origin without
  /// asking this one first, which never allows it.
  public static let writeHeader = "x-requested-by"

  private let port: Int
  private let names: Set<String>
  private let cookieName: String
  private let token: AccessToken?

  /// Makes a guard.
  ///
  /// - Parameters:
  ///   - port: The server's port.
  ///   - names: The names by which it is called besides `localhost` and its addresses.
  ///   - program: What its cookie begins with.
  ///   - token: What clients must know; nil for those of this machine alone.
  public init(port: Int, names: Set<String> = [], program: String, token: AccessToken?) {
    self.port = port
    self.names = Set(names.map { $0.lowercased() }).union(["localhost"])
    // Cookies are not kept apart by port.
    cookieName = "\(program)-\(port)"
    self.token = token
  }

  /// Why a request is refused; nil where it is not.
  public func refusal(of request: WebRequest) -> WebResponse? {
    guard let host = request.headers["host"], isOurs(host) else {
      return .sentence(421, "This server is not known by that name: use its address.")
    }
    let site = request.headers["sec-fetch-site"] ?? "same-origin"
    let isNavigation = request.headers["sec-fetch-mode"] == "navigate" && !request.isWrite
    guard site == "same-origin" || site == "none" || (isNavigation && request.path == "/") else {
      return .sentence(403, "A page of another origin has no access here.")
    }
    if let origin = request.headers["origin"], origin.lowercased() != "http://\(host.lowercased())"
    {
      return .sentence(403, "A page of another origin has no access here.")
    }
    if request.isWrite, request.headers[Self.writeHeader] == nil {
      return .sentence(403, "A change must have the header \(Self.writeHeader).")
    }
    guard let token else { return nil }
    return tokenRefusal(of: request, token)
  }

  private func tokenRefusal(of request: WebRequest, _ token: AccessToken) -> WebResponse? {
    let bearer = request.headers["authorization"].flatMap { value in
      value.hasPrefix("Bearer ") ? String(value.dropFirst(7)) : nil
    }
    if token.matches(request.cookie(cookieName)) || token.matches(bearer) { return nil }
    guard request.method == "GET", request.path == "/", token.matches(request.query["token"])
    else {
      return .sentence(
        401, "This server needs a token: open the address that it has printed, token included.")
    }
    // Out of the address, where others could see it.
    return WebResponse(
      status: 303,
      headers: [
        "Location": "/", "Cache-Control": "no-store",
        "Set-Cookie": "\(cookieName)=\(token.text); Path=/; HttpOnly; SameSite=Strict",
      ])
  }

  /// A name that leads here only because somebody says so is no address in numbers.
  private func isOurs(_ host: String) -> Bool {
    var name = Substring(host.lowercased())
    if name.hasPrefix("[") {
      guard let end = name.firstIndex(of: "]") else { return false }
      let inner = name[name.index(after: name.startIndex)..<end]
      return inner.contains(":") && inner.allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." }
        && isOurPort(name[name.index(after: end)...])
    }
    if let colon = name.firstIndex(of: ":") {
      guard isOurPort(name[colon...]) else { return false }
      name = name[..<colon]
    } else if port != 80 {
      return false
    }
    return names.contains(String(name)) || Self.isAddress(name)
  }

  private func isOurPort(_ text: Substring) -> Bool {
    text.isEmpty ? port == 80 : text == ":\(port)"
  }

  private static func isAddress(_ name: Substring) -> Bool {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4
      && parts.allSatisfy { part in
        part.count <= 3 && part.allSatisfy { $0.isASCII && $0.isNumber } && UInt8(part) != nil
      }
  }
}
