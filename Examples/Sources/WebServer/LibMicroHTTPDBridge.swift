import CMicroHTTPD
import Dispatch
import Foundation
import Synchronization

/// All that is said to libmicrohttpd, and all pointers that it hands out.
///
/// A request is received by the library's thread; it is then suspended, and a task answers it. A
/// suspended connection is left alone by the library: somebody who takes it has its socket to
/// himself until it is resumed.
final class LibMicroHTTPDBridge: Sendable {
  private let daemon = Mutex<Daemon?>(nil)
  private let handler: any WebHandling
  private let memory: BodyMemory
  private let taken = Mutex<[ObjectIdentifier: OpenConnection]>([:])
  private let isStopping = Mutex(false)
  /// Connections that are suspended: the library must not be stopped while there are any.
  private let suspensions = DispatchGroup()

  init(
    address: String, port: Int, _ limits: WebServer.Limits, _ handler: any WebHandling
  ) throws(WebServerError) {
    self.handler = handler
    memory = BodyMemory(limit: limits.bodyByteCount)
    var bounds = ck_web_limits(
      connections: UInt32(clamping: limits.connectionCount),
      connections_from_one_address: UInt32(clamping: limits.connectionCountOfAddress),
      idle_seconds: UInt32(clamping: limits.idleSeconds),
      bytes_of_headers: limits.headerByteCount)
    // Not owned by the daemon: who stops it outlives it.
    let context = Unmanaged.passUnretained(self).toOpaque()
    errno = 0
    let started = try Self.withSocketAddress(address, port) { socketAddress in
      ck_web_start(socketAddress, answerOfServer, completionOfServer, context, &bounds)
    }
    guard let started else {
      let reason = errno == 0 ? "it may be in use" : String(cString: strerror(errno))
      throw WebServerError(
        "Nothing can listen on port \(port) of \(address): \(reason); choose another with --port.")
    }
    let begun = Daemon(pointer: started)
    daemon.withLock { $0 = begun }
  }

  deinit { stop() }

  /// The port that it has got.
  var port: Int { daemon.withLock { $0.map { Int(ck_web_port($0.pointer)) } ?? 0 } }

  func stop() {
    isStopping.withLock { $0 = true }
    let stopped = daemon.withLock { daemon in
      defer { daemon = nil }
      return daemon
    }
    guard let stopped else { return }
    for connection in taken.withLock({ Array($0.values) }) { connection.close() }
    // A handler that does not answer in that time keeps the server's thread, but nobody else.
    guard suspensions.wait(timeout: .now() + 10) == .success else { return }
    MHD_stop_daemon(stopped.pointer)
  }

  private static func withSocketAddress<Value>(
    _ address: String, _ port: Int, _ body: (UnsafePointer<sockaddr>) -> Value
  ) throws(WebServerError) -> Value {
    guard let port = UInt16(exactly: port) else {
      throw WebServerError("There is no port \(port): choose one from 1 to 65535.")
    }
    var four = sockaddr_in()
    var six = sockaddr_in6()
    if inet_pton(AF_INET, address, &four.sin_addr) == 1 {
      four.sin_family = sa_family_t(AF_INET)
      four.sin_port = port.bigEndian
      return withUnsafePointer(to: &four) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0) }
      }
    }
    guard inet_pton(AF_INET6, address, &six.sin6_addr) == 1 else {
      throw WebServerError(
        "\(address) is no address in numbers: use 127.0.0.1 or one of this machine's.")
    }
    six.sin6_family = sa_family_t(AF_INET6)
    six.sin6_port = port.bigEndian
    return withUnsafePointer(to: &six) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0) }
    }
  }
}

// MARK: - On the library's thread

extension LibMicroHTTPDBridge {
  /// The headers are there.
  fileprivate func begin(
    _ connection: OpaquePointer, _ method: String, _ path: String
  ) -> Exchange {
    let request = WebRequest(
      method: method, path: path,
      query: Self.dictionary(Self.pairs(ck_web_arguments, connection)) { _, new in new },
      headers: Self.dictionary(
        Self.pairs(ck_web_headers, connection).map { ($0.lowercased(), $1) }
      ) { "\($0), \($1)" })
    return Exchange(
      request, refusal: handler.refusal(of: request), limit: handler.bodyLimit(of: request),
      memory: memory)
  }

  /// The request is whole, or the connection was resumed.
  fileprivate func proceed(_ exchange: Exchange, _ connection: OpaquePointer) -> MHD_Result {
    switch exchange.step() {
    case .cut: return .NO
    case .reply(let response): return Self.queue(response, on: connection)
    case .ask(let request):
      guard !isStopping.withLock({ $0 }) else { return .NO }
      suspensions.enter()
      MHD_suspend_connection(connection)
      let suspended = SuspendedConnection(pointer: connection)
      Task {
        let response = await handler.response(to: request)
        guard case .connection(let take) = response.body else {
          exchange.answer(response)
          return resume(suspended)
        }
        take(open(suspended, exchange))
      }
      return .YES
    }
  }

  /// Hands a connection out, and takes it back when it is closed.
  private func open(_ suspended: SuspendedConnection, _ exchange: Exchange) -> OpenConnection {
    let connection = OpenConnection(descriptor: ck_web_descriptor(suspended.pointer)) {
      [weak self] connection in
      exchange.end()
      guard let self else { return }
      _ = taken.withLock { $0.removeValue(forKey: ObjectIdentifier(connection)) }
      resume(suspended)
    }
    taken.withLock { $0[ObjectIdentifier(connection)] = connection }
    if isStopping.withLock({ $0 }) { connection.close() }
    return connection
  }

  private func resume(_ suspended: SuspendedConnection) {
    MHD_resume_connection(suspended.pointer)
    suspensions.leave()
  }

  private static func queue(
    _ response: WebResponse, on connection: OpaquePointer
  ) -> MHD_Result {
    guard case .data(let data) = response.body,
      let made = data.withUnsafeBytes({ ck_web_response($0.count, $0.baseAddress) })
    else { return .NO }
    defer { MHD_destroy_response(made) }
    for (name, value) in response.headers { MHD_add_response_header(made, name, value) }
    return MHD_queue_response(connection, UInt32(clamping: response.status), made)
  }

  private static func dictionary(
    _ pairs: [(String, String)], _ joined: (String, String) -> String
  ) -> [String: String] {
    Dictionary(pairs, uniquingKeysWith: joined)
  }

  /// Names and values, as often as they were sent.
  private static func pairs(
    _ iterate: (OpaquePointer?, MHD_KeyValueIterator?, UnsafeMutableRawPointer?) -> Void,
    _ connection: OpaquePointer
  ) -> [(String, String)] {
    var pairs: [(String, String)] = []
    withUnsafeMutablePointer(to: &pairs) { pairs in
      iterate(
        connection,
        { context, _, name, value in
          guard let context, let name else { return .YES }
          let pairs = context.assumingMemoryBound(to: [(String, String)].self)
          pairs.pointee.append((String(cString: name), value.map { String(cString: $0) } ?? ""))
          return .YES
        }, pairs)
    }
    return pairs
  }
}

/// The library's server.
// The library's calls for it may come from any thread.
private struct Daemon: @unchecked Sendable {
  let pointer: OpaquePointer
}

/// A connection that the library leaves alone until it is resumed.
// The library's calls for it may come from any thread.
private struct SuspendedConnection: @unchecked Sendable {
  let pointer: OpaquePointer
}

// MARK: - What the library calls

private let answerOfServer: MHD_AccessHandlerCallback = {
  context, connection, path, method, _, bytes, byteCount, stored in
  guard let context, let connection, let path, let method, let byteCount, let stored else {
    return .NO
  }
  let bridge = Unmanaged<LibMicroHTTPDBridge>.fromOpaque(context).takeUnretainedValue()
  guard let known = stored.pointee else {
    let exchange = bridge.begin(
      connection, String(cString: method), String(cString: path))
    stored.pointee = Unmanaged.passRetained(exchange).toOpaque()
    return .YES
  }
  let exchange = Unmanaged<Exchange>.fromOpaque(known).takeUnretainedValue()
  guard byteCount.pointee > 0, let bytes else { return bridge.proceed(exchange, connection) }
  let piece = UnsafeRawBufferPointer(start: bytes, count: byteCount.pointee)
  byteCount.pointee = 0
  return exchange.receive(piece.bytes) ? .YES : .NO
}

private let completionOfServer: MHD_RequestCompletedCallback = { _, _, stored, _ in
  guard let stored, let known = stored.pointee else { return }
  Unmanaged<Exchange>.fromOpaque(known).release()
  stored.pointee = nil
}
