public import Foundation
import Synchronization

/// Sends the same messages to all clients of a stream, and waits for none of them.
///
/// A message goes from where it lies to each client that has room for it. One that is slow gets the
/// rest later, of a copy that all slow ones share, and then the newest message or all of them.
public final class Broadcast: Sendable {
  /// What becomes of messages for a client that is not done with an earlier one.
  public enum Backlog: Sendable {
    /// The newest one waits; those before it are left out.
    case newest
    /// All wait; a client for which more wait than so many bytes is let go.
    case all(atMost: Int)
  }

  private struct Client: Sendable {
    let connection: OpenConnection
    /// What is under way; nil where everything is sent.
    var current: Message?
    var sentByteCount = 0
    var waiting: [Message] = []
  }

  /// What several clients wait for.
  private final class Message: Sendable {
    let head: [UInt8]
    let body: Data
    let tail: [UInt8]
    var byteCount: Int { head.count + body.count + tail.count }

    init(head: [UInt8], body: Data = Data(), tail: [UInt8] = []) {
      self.head = head
      self.body = body
      self.tail = tail
    }
  }

  private let clients = Mutex<[ObjectIdentifier: Client]>([:])
  private let backlog: Backlog
  private let countChanged: @Sendable (Int) -> Void

  /// Makes a stream without clients.
  ///
  /// - Parameters:
  ///   - backlog: What becomes of messages for slow clients.
  ///   - countChanged: Called with the number of clients after one has come or gone, on any thread.
  public init(_ backlog: Backlog, countChanged: @escaping @Sendable (Int) -> Void = { _ in }) {
    self.backlog = backlog
    self.countChanged = countChanged
  }

  /// How many clients there are.
  public var count: Int { clients.withLock { $0.count } }

  /// Adds a client.
  ///
  /// - Parameters:
  ///   - connection: The client's, from now on the stream's.
  ///   - first: What only this client gets, before all others: its headers for instance.
  public func add(_ connection: OpenConnection, first: Data) {
    let id = ObjectIdentifier(connection)
    let count = clients.withLock { clients in
      clients[id] = Client(
        connection: connection, current: Message(head: Array(first)))
      return clients.count
    }
    connection.onEnd { [weak self] in self?.remove(id) }
    goOn(id)
    countChanged(count)
  }

  /// Sends a message to all clients.
  ///
  /// - Parameters:
  ///   - head: Its beginning.
  ///   - body: What follows; the memory is needed for the duration of the call only.
  ///   - tail: Its end.
  public func send(head: [UInt8], body: RawSpan, tail: [UInt8] = []) {
    let byteCount = head.count + body.byteCount + tail.count
    // Where it is copied, once for all.
    var copy: Message?
    func kept() -> Message {
      let message = copy ?? Message(head: head, body: Data(copying: body), tail: tail)
      copy = message
      return message
    }
    var slow: [OpenConnection] = []
    var lost: [ObjectIdentifier] = []
    clients.withLock { clients in
      for (id, client) in clients {
        if client.current != nil {
          clients[id]?.waiting = waiting(client, with: kept())
          if clients[id]?.waiting.isEmpty == true { lost.append(id) }
          continue
        }
        guard let sent = client.connection.send(head: head, body: body, tail: tail)
        else {
          lost.append(id)
          continue
        }
        guard sent < byteCount else { continue }
        clients[id]?.current = kept()
        clients[id]?.sentByteCount = sent
        slow.append(client.connection)
      }
    }
    for connection in slow { waitFor(connection) }
    for id in lost { remove(id) }
  }

  /// Lets go of all clients.
  public func removeAll() {
    for id in clients.withLock({ Array($0.keys) }) { remove(id) }
  }

  // MARK: - Slow clients

  /// What waits for a client when a message is added; empty where it is too much.
  private func waiting(_ client: Client, with message: Message) -> [Message] {
    guard case .all(let limit) = backlog else { return [message] }
    let waiting = client.waiting + [message]
    return waiting.reduce(0) { $0 + $1.byteCount } <= limit ? waiting : []
  }

  private func waitFor(_ connection: OpenConnection) {
    let id = ObjectIdentifier(connection)
    connection.onceWritable { [weak self] in self?.goOn(id) }
  }

  /// Sends a client what it waits for, as much as it takes.
  private func goOn(_ id: ObjectIdentifier) {
    enum Outcome { case done, slow(OpenConnection), lost }
    let outcome = clients.withLock { clients in
      guard var client = clients[id] else { return Outcome.done }
      defer { clients[id] = client }
      while let message = client.current {
        guard
          let sent = client.connection.send(
            head: message.head, body: message.body.bytes, tail: message.tail,
            after: client.sentByteCount)
        else { return Outcome.lost }
        client.sentByteCount = sent
        guard sent == message.byteCount else { return Outcome.slow(client.connection) }
        client.current = client.waiting.isEmpty ? nil : client.waiting.removeFirst()
        client.sentByteCount = 0
      }
      return Outcome.done
    }
    switch outcome {
    case .done: break
    case .slow(let connection): waitFor(connection)
    case .lost: remove(id)
    }
  }

  private func remove(_ id: ObjectIdentifier) {
    let (client, count) = clients.withLock { ($0.removeValue(forKey: id), $0.count) }
    guard let client else { return }
    client.connection.close()
    countChanged(count)
  }
}
