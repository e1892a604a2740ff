import Dispatch
import Foundation
import Glibc
import Synchronization
import Testing
import WebServer

@Suite(.timeLimit(.minutes(1)))
struct WebServerTests {
  /// Answers with what it was asked; `/stream` is a stream.
  private struct Echo: WebHandling {
    let stream = Broadcast(.newest)

    func refusal(of request: WebRequest) -> WebResponse? {
      request.path == "/no" ? .sentence(403, "No.") : nil
    }

    func bodyLimit(of request: WebRequest) -> Int { 1000 }

    func response(to request: WebRequest) async -> WebResponse {
      if request.path == "/stream" {
        return .connection { stream.add($0, first: Data("begin\n".utf8)) }
      }
      return .sentence(
        200, "\(request.method) \(request.path) \(request.query["a"] ?? "") \(request.body.count)")
    }
  }

  private let echo = Echo()

  private func server() throws -> WebServer {
    try WebServer(address: "127.0.0.1", port: 0, handler: echo)
  }

  @Test func answersOneRequestAfterTheOther() async throws {
    let server = try server()
    let client = try Client(port: server.port)

    client.send("GET /a%20b?a=1&a=2 HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(await client.read(until: "b 2 0\n").hasSuffix("GET /a b 2 0\n"))
    client.send("POST /p HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n12345")
    #expect(await client.read(until: "p  5\n").hasPrefix("HTTP/1.1 200"))
    client.send("POST /no HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n12345")
    #expect(await client.read(until: "No.\n").hasPrefix("HTTP/1.1 403"))
    client.send("GET /last HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(await client.read(until: "last  0\n").hasPrefix("HTTP/1.1 200"))
    server.stop()
  }

  @Test func endsStreamsWhenItStops() async throws {
    let server = try server()
    let clients = try (0..<3).map { _ in try Client(port: server.port) }
    for client in clients {
      client.send("GET /stream HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(await client.read(until: "begin\n") == "begin\n")
    }

    echo.stream.send(head: Array("one".utf8), body: Data("two".utf8).bytes, tail: [0x0A])
    for client in clients { #expect(await client.read(until: "\n") == "onetwo\n") }
    server.stop()

    for client in clients { #expect(await client.read(until: "never") == "") }
  }

  @Test func countsThoseWhoAreThere() async throws {
    let counts = AsyncStream<Int>.makeStream()
    let stream = Broadcast(.newest) { counts.continuation.yield($0) }
    let server = try WebServer(address: "127.0.0.1", port: 0, handler: Taking(stream: stream))
    var client: Client? = try Client(port: server.port)
    var iterator = counts.stream.makeAsyncIterator()

    client?.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(await iterator.next() == 1)
    client = nil

    #expect(await iterator.next() == 0)
    server.stop()
  }

  private struct Taking: WebHandling {
    let stream: Broadcast

    func refusal(of request: WebRequest) -> WebResponse? { nil }
    func bodyLimit(of request: WebRequest) -> Int { 0 }
    func response(to request: WebRequest) async -> WebResponse {
      .connection { stream.add($0, first: Data()) }
    }
  }

  @Test func givesSlowClientsTheNewestMessageAndAllOfIt() async throws {
    let server = try server()
    let client = try Client(port: server.port)
    client.send("GET /stream HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(await client.read(until: "begin\n") == "begin\n")
    // Far more than the kernel keeps for somebody who does not read.
    let large = Data(repeating: UInt8(ascii: "x"), count: 8 << 20)

    echo.stream.send(head: [UInt8(ascii: "1")], body: large.bytes, tail: [0x0A])
    for number in 2...9 {
      echo.stream.send(head: Array("\(number)".utf8), body: Data().bytes, tail: [0x0A])
    }

    let first = await client.read(until: "\n", atMost: 50 << 20)
    #expect(first.utf8.count == large.count + 2)
    #expect(await client.read(until: "\n") == "9\n")
    server.stop()
  }

  @Test func saysWhyItCannotListen() throws {
    let server = try server()

    #expect(throws: WebServerError.self) {
      try WebServer(address: "127.0.0.1", port: server.port, handler: echo)
    }
    #expect(throws: WebServerError.self) {
      try WebServer(address: "localhost", port: 0, handler: echo)
    }
    server.stop()
  }
}

/// A client that sees what is sent, byte by byte.
// One call at a time.
private final class Client: @unchecked Sendable {
  private let descriptor: Int32
  private var buffer: [UInt8] = []

  init(port: Int) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    try #require(result == 0)
    var patience = timeval(tv_sec: 20, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { close(descriptor) }

  func send(_ text: String) {
    let bytes = Array(text.utf8)
    _ = write(descriptor, bytes, bytes.count)
  }

  /// What comes up to a text; up to the end where it does not come.
  ///
  /// On a thread of its own: the server's handlers need those that tasks share.
  func read(until end: String, atMost limit: Int = 1 << 20) async -> String {
    await withCheckedContinuation { continuation in
      DispatchQueue(label: "client").async {
        continuation.resume(returning: self.receive(until: Array(end.utf8), atMost: limit))
      }
    }
  }

  private func receive(until end: [UInt8], atMost limit: Int) -> String {
    var piece = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      // Of long answers the end is looked for at their end.
      let place = max(0, buffer.count - piece.count - end.count)
      if let found = buffer[place...].firstRange(of: end) {
        defer { buffer.removeFirst(found.upperBound) }
        return String(decoding: buffer[..<found.upperBound], as: UTF8.self)
      }
      let count = Glibc.read(descriptor, &piece, piece.count)
      guard count > 0, buffer.count < limit else {
        defer { buffer = [] }
        return String(decoding: buffer, as: UTF8.self)
      }
      buffer += piece[..<count]
    }
  }
}
