import Synchronization

/// A server of the Hypertext Transfer Protocol for one program's pages.
///
/// One thread receives and sends for all; a handler answers in tasks. All is bounded: the
/// connections, what their headers and bodies may have, and how long one may be silent. It runs
/// until ``stop()``.
public final class WebServer: Sendable {
  /// How much clients may ask for.
  public struct Limits: Sendable {
    /// The connections at one time.
    public var connectionCount = 100
    /// Those from one address.
    public var connectionCountOfAddress = 64
    /// How long a connection may be silent.
    public var idleSeconds = 20
    /// What a request's line and headers may have.
    public var headerByteCount = 32 << 10
    /// What the bodies of all requests together may have at one time.
    public var bodyByteCount = 96 << 20

    /// The usual ones.
    public init() {}
  }

  /// Where it listens.
  public let address: String
  /// The port that it listens on.
  public let port: Int
  private let bridge: LibMicroHTTPDBridge

  /// Begins to serve.
  ///
  /// - Parameters:
  ///   - address: An address of this machine in numbers, `127.0.0.1` for instance.
  ///   - port: The port; 0 for any that is free.
  ///   - limits: How much clients may ask for.
  ///   - handler: Who answers.
  /// - Throws: ``WebServerError`` where the address is none, or the port is in use.
  public init(
    address: String, port: Int, limits: Limits = Limits(), handler: any WebHandling
  ) throws(WebServerError) {
    bridge = try LibMicroHTTPDBridge(address: address, port: port, limits, handler)
    self.address = address
    self.port = bridge.port
  }

  /// Closes all connections, those that others have taken too, and waits for the answers under way.
  public func stop() { bridge.stop() }
}
