import CVideo4Linux
import LinuxSystem
import Synchronization

/// The buffers that a driver fills and this process reads: granted, mapped, queued, given back.
///
/// The thread of the stream takes frames out; leases come back from any thread. The lock is held
/// over QBUF, which waits for nothing, so that none can slip past the end of the stream into a
/// later one.
final class BufferQueue: Sendable {
  /// What DQBUF has given.
  struct Dequeued {
    let index: Int
    let buffer: MappedBuffer
    let sequence: UInt32
    let flags: BufferFlags
    let field: Field
    let timestamp: BufferTimestamp
    let planes: InlineArray<8, PlaneExtent>
    let planeCount: Int
    let isClamped: Bool
  }

  private struct State {
    /// Nil once stopped: leases that are left must not keep the node open.
    var descriptor: Descriptor?
    var buffers: [MappedBuffer]
    /// A bit per buffer: set while the driver has it.
    var queued: UInt64 = 0
    /// A bit per buffer: set while neither the driver nor a lease has it, since a QBUF failed.
    var stranded: UInt64 = 0
  }

  let grantedCount: Int
  private let node: VideoNode
  private let type: UInt32
  private let state: Mutex<State>

  /// Takes over buffers that are granted and mapped but not queued yet.
  init(node: VideoNode, descriptor: Descriptor, buffers: [MappedBuffer]) {
    self.node = node
    type = node.bufferType
    grantedCount = buffers.count
    state = Mutex(State(descriptor: descriptor, buffers: buffers))
  }

  /// How many buffers the driver has. When it has none it can take no picture.
  var queuedCount: Int {
    state.withLock { $0.queued.nonzeroBitCount }
  }

  /// Hands every buffer that is not out on a lease to the driver.
  func queueAll() throws(Errno) {
    for index in 0..<grantedCount { try queue(index) }
  }

  /// Gives one buffer back to the driver; once stopped, does nothing.
  func giveBack(_ index: Int) {
    do {
      try queue(index)
    } catch {
      // Kept for another try: a ring that loses a buffer at each hiccup runs dry.
      state.withLock { $0.stranded |= 1 << UInt64(index) }
    }
  }

  /// Tries again to give back what the driver has refused.
  func giveBackStranded() {
    var stranded = state.withLock { state in
      defer { state.stranded = 0 }
      return state.stranded
    }
    while stranded != 0 {
      giveBack(stranded.trailingZeroBitCount)
      stranded &= stranded - 1
    }
  }

  /// Takes the oldest filled buffer, or throws ``Errno/again`` where there is none.
  func dequeue() throws(Errno) -> Dequeued? {
    var request = unsafe ck_buffer()
    return try unsafe withUnsafeMutablePointer(to: &request) { request throws(Errno) in
      unsafe ck_buffer_prepare(request, type, 0)
      try unsafe call(runningDescriptor(), Request.dequeueBuffer, request)
      let index = unsafe Int(request.pointee.buffer.index)
      let buffer = state.withLock { (state) -> MappedBuffer? in
        // A buffer that the driver does not have is a lie, and in somebody else's hands.
        guard index < state.buffers.count, state.queued & 1 << UInt64(index) != 0 else {
          return nil
        }
        state.queued &= ~(1 << UInt64(index))
        return state.buffers[index]
      }
      guard let buffer else { return nil }
      return unsafe Dequeued(index: index, buffer: buffer, answer: request)
    }
  }

  /// After EIO: puts back what the driver has dropped, neither filled nor waiting.
  func requeueDropped() throws(Errno) {
    for index in 0..<grantedCount {
      let isOurs = state.withLock { $0.queued & 1 << UInt64(index) == 0 }
      if isOurs { continue }
      let flags = try flags(of: index)
      guard flags.isDisjoint(with: [.queued, .done]) else { continue }
      state.withLock { $0.queued &= ~(1 << UInt64(index)) }
      try queue(index)
    }
  }

  /// From now on buffers that come back are nobody's, and memory goes as leases end.
  /// - Returns: The mappings, to be let go of when the driver has stopped.
  func stop() -> [MappedBuffer] {
    state.withLock { state in
      defer { state = State(descriptor: nil, buffers: []) }
      return state.buffers
    }
  }

  private func queue(_ index: Int) throws(Errno) {
    try state.withLock { state throws(Errno) in
      let bit: UInt64 = 1 << UInt64(index)
      guard let descriptor = state.descriptor, state.queued & bit == 0 else { return }
      var request = unsafe ck_buffer()
      try unsafe withUnsafeMutablePointer(to: &request) { request throws(Errno) in
        unsafe ck_buffer_prepare(request, type, UInt32(index))
        try unsafe call(descriptor, Request.queueBuffer, request)
      }
      state.queued |= bit
    }
  }

  private func flags(of index: Int) throws(Errno) -> BufferFlags {
    var request = unsafe ck_buffer()
    return try unsafe withUnsafeMutablePointer(to: &request) { request throws(Errno) in
      unsafe ck_buffer_prepare(request, type, UInt32(index))
      try unsafe call(runningDescriptor(), Request.queryBuffer, request)
      return unsafe BufferFlags(rawValue: request.pointee.buffer.flags)
    }
  }

  private func runningDescriptor() throws(Errno) -> Descriptor {
    guard let descriptor = state.withLock({ $0.descriptor }) else { throw .badDescriptor }
    return descriptor
  }

  private func call(
    _ descriptor: Descriptor, _ request: UInt, _ buffer: UnsafeMutablePointer<ck_buffer>
  ) throws(Errno) {
    try withoutInterrupts { () throws(Errno) in
      try unsafe node.kernel.ioctl(descriptor.rawValue, request, buffer)
    }
  }
}
