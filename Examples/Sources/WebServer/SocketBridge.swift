import Foundation
import Glibc

/// What the kernel is told of a stream's socket.
enum SocketBridge {
  /// Messages go out at once, no more waits in the kernel than a frame or two, and who takes
  /// nothing for half a minute is gone.
  static func prepare(_ descriptor: Int32) {
    func set(_ option: Int32, _ value: Int32) {
      var value = value
      setsockopt(
        descriptor, Int32(IPPROTO_TCP), option, &value, socklen_t(MemoryLayout<Int32>.size))
    }
    set(TCP_NODELAY, 1)
    set(TCP_NOTSENT_LOWAT, 256 << 10)
    set(TCP_USER_TIMEOUT, 30_000)
  }

  /// - Returns: How much of all parts is sent now; nil where the socket is of no use any more.
  static func send(
    head: [UInt8], body: RawSpan, tail: [UInt8], after sentByteCount: Int, to descriptor: Int32
  ) -> Int? {
    let result = head.withUnsafeBytes { head in
      body.withUnsafeBytes { body in
        tail.withUnsafeBytes { tail in
          send([head, body, tail], after: sentByteCount, to: descriptor)
        }
      }
    }
    if result >= 0 { return sentByteCount + result }
    return errno == EAGAIN || errno == EINTR ? sentByteCount : nil
  }

  private static func send(
    _ parts: InlineArray<3, UnsafeRawBufferPointer>, after sentByteCount: Int,
    to descriptor: Int32
  ) -> Int {
    withUnsafeTemporaryAllocation(of: iovec.self, capacity: 3) { vectors in
      var (count, skipped) = (0, sentByteCount)
      for index in 0..<3 {
        let part = parts[index]
        let rest = part.count - min(skipped, part.count)
        skipped -= part.count - rest
        guard rest > 0, let start = part.baseAddress else { continue }
        vectors.initializeElement(
          at: count,
          to: iovec(
            iov_base: UnsafeMutableRawPointer(mutating: start + part.count - rest),
            iov_len: rest))
        count += 1
      }
      guard count > 0 else { return 0 }
      var message = msghdr()
      message.msg_iov = vectors.baseAddress
      message.msg_iovlen = count
      return sendmsg(descriptor, &message, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
    }
  }

  /// Reads what has come, for nobody; says whether no more will.
  static func isOver(_ descriptor: Int32) -> Bool {
    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
      let count = recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
      return count == 0 || count < 0 && errno != EAGAIN && errno != EINTR
    }
  }

  static func shutDown(_ descriptor: Int32) { shutdown(descriptor, Int32(SHUT_RDWR)) }
}

extension Data {
  /// Copies a piece of memory.
  init(copying piece: RawSpan) { self = piece.withUnsafeBytes { Data($0) } }

  /// Appends a copy of a piece of memory.
  mutating func append(copying piece: RawSpan) {
    piece.withUnsafeBytes { append(contentsOf: $0) }
  }
}
