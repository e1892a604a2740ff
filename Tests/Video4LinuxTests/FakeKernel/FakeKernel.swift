import CVideo4Linux
import Glibc
import LinuxSystem
import Synchronization

/// A kernel with devices that do not exist. Time passes only while somebody waits for a frame.
///
/// What a real kernel would punish later, or never, is noted in ``violations``.
final class FakeKernel: Kernel {
  fileprivate struct State {
    var drivers: [String: FakeDriver]
    var faults: [FakeFault]
    var openPaths: [Int32: String] = [:]
    var nextDescriptor: Int32 = 1000
    var mappings: [UInt: FakeMemory] = [:]
    var now: UInt64 = 5_000_000_000
    var counts: [FakeCall: Int] = [:]
    var callCount = 0
    var log: [FakeCall] = []
    var keepsLog = true
    var vanishesAtCall = Int.max
    var violations: [String] = []
    var hooks: [FakeCall: @Sendable () -> Void] = [:]
  }

  private let state: Mutex<State>

  init(_ devices: [String: FakeDevice], faults: [FakeFault] = []) {
    let drivers = devices.mapValues { FakeDriver($0) }
    state = Mutex(State(drivers: drivers, faults: faults))
  }

  convenience init(_ device: FakeDevice = FakeDevice(), faults: [FakeFault] = []) {
    self.init(["/dev/video0": device], faults: faults)
  }

  // MARK: What tests look at

  var openCount: Int { state.withLock { $0.openPaths.count } }
  var mappingCount: Int { state.withLock { $0.mappings.count } }
  /// All calls so far.
  var callCount: Int { state.withLock { $0.callCount } }
  var violations: [String] { state.withLock { $0.violations } }
  var isStreaming: Bool { state.withLock { $0.drivers.values.contains { $0.isStreaming } } }
  /// Buffers that the drivers have waiting to be filled, or filled.
  var queuedCount: Int { state.withLock { $0.drivers.values.reduce(0) { $0 + $1.queuedCount } } }
  /// Buffers that are granted.
  var bufferCount: Int { state.withLock { $0.drivers.values.reduce(0) { $0 + $1.buffers.count } } }

  /// All calls so far, in order.
  var log: [FakeCall] { state.withLock { $0.log } }

  /// Whether calls are kept in ``log``, which grows with each; true until it is set.
  var keepsLog: Bool {
    get { state.withLock { $0.keepsLog } }
    set { state.withLock { $0.keepsLog = newValue } }
  }

  func count(_ call: FakeCall) -> Int { state.withLock { $0.counts[call] ?? 0 } }

  // MARK: What tests change

  /// From the call of this number on all devices are gone.
  func vanish(atCall call: Int) { state.withLock { $0.vanishesAtCall = call } }
  /// Runs something once, right before the next call of a kind: what another thread may do then.
  func before(_ call: FakeCall, _ action: @escaping @Sendable () -> Void) {
    state.withLock { $0.hooks[call] = action }
  }
  func vanish() { state.withLock { $0.vanishesAtCall = 0 } }
  /// The source at the input has another form now.
  func changeSource() { raise(.sourceChange) }
  /// The shutter is moved; drivers without that control learn it.
  func setShutter(isClosed: Bool) {
    change { $0.controls[ck_CID_PRIVACY] = isClosed ? 1 : 0 }
    raise(.newValue(isClosed, of: ck_CID_PRIVACY))
  }
  private func raise(_ event: v4l2_event) {
    state.withLock { state in
      for (path, driver) in state.drivers {
        for descriptor in driver.streamWatchers {
          state.drivers[path]?.streamEvents[descriptor, default: []].append(event)
        }
      }
    }
  }
  func add(_ fault: FakeFault) { state.withLock { $0.faults.append(fault) } }
  func removeFaults() { state.withLock { $0.faults = [] } }
  func change(_ path: String = "/dev/video0", _ body: (inout FakeDevice) -> Void) {
    state.withLock { state in
      guard var driver = state.drivers[path] else { return }
      body(&driver.device)
      state.drivers[path] = driver
    }
  }

  /// A control changes by itself.
  func changeControl(_ id: UInt32, to value: Int64, path: String = "/dev/video0") {
    state.withLock { $0.drivers[path]?.change(id, to: value) }
  }
  func device(_ path: String = "/dev/video0") -> FakeDevice? {
    state.withLock { $0.drivers[path]?.device }
  }

  // MARK: Kernel

  func open(_ path: String, flags: Int32) throws(Errno) -> Int32 {
    try state.withLock { state throws(Errno) in
      if try state.begin(.open) { throw .noEntry }
      guard state.drivers[path] != nil else { throw .noEntry }
      if flags & (O_NONBLOCK | O_CLOEXEC) != O_NONBLOCK | O_CLOEXEC || flags & O_ACCMODE != O_RDWR {
        state.violations.append("open with flags \(flags)")
      }
      state.nextDescriptor += 1
      state.openPaths[state.nextDescriptor] = path
      return state.nextDescriptor
    }
  }

  func close(_ descriptor: Int32) throws(Errno) {
    try state.withLock { state throws(Errno) in
      _ = try state.begin(.close)
      guard state.openPaths.removeValue(forKey: descriptor) != nil else {
        state.violations.append("close of \(descriptor), which is not open")
        throw .badDescriptor
      }
      state.releaseAbandoned()
    }
  }

  func ioctl(
    _ descriptor: Int32, _ request: UInt, _ argument: UnsafeMutableRawPointer
  ) throws(Errno) {
    guard let call = FakeCall(request: request) else { throw .notSupported }
    state.withLock { $0.hooks.removeValue(forKey: call) }?()
    try state.withLock { state throws(Errno) in
      if try state.begin(call) { throw .noDevice }
      guard let path = state.openPaths[descriptor], var driver = state.drivers[path] else {
        state.violations.append("\(call) on \(descriptor), which is not open")
        throw .badDescriptor
      }
      defer { state.drivers[path] = driver }
      do throws(Errno) {
        try driver.answer(
          call, argument, from: descriptor, now: state.now, mappings: state.mappings)
      } catch {
        state.violations += driver.takeViolations()
        throw error
      }
      state.violations += driver.takeViolations()
    }
  }

  func mmap(
    _ descriptor: Int32, length: Int, offset: Int
  ) throws(Errno) -> UnsafeMutableRawBufferPointer {
    let memory = try state.withLock { state throws(Errno) -> FakeMemory in
      if try state.begin(.mmap) { throw .noDevice }
      guard let path = state.openPaths[descriptor], let driver = state.drivers[path],
        let memory = driver.memory(atOffset: offset), length <= memory.length
      else { throw .invalidArgument }
      state.mappings[memory.address] = memory
      return memory
    }
    return UnsafeMutableRawBufferPointer(rebasing: memory.bytes[..<length])
  }

  func munmap(_ mapping: UnsafeMutableRawBufferPointer) throws(Errno) {
    try state.withLock { state throws(Errno) in
      _ = try state.begin(.munmap)
      let address = UInt(bitPattern: mapping.baseAddress)
      if state.mappings.removeValue(forKey: address) == nil {
        state.violations.append("munmap of what is not mapped")
      }
      state.releaseAbandoned()
    }
  }

  func poll(
    _ entries: UnsafeMutableBufferPointer<pollfd>, timeoutMilliseconds: Int32
  ) throws(Errno) -> Int32 {
    for index in entries.indices { entries[index].revents = 0 }
    // The wake event is a real one.
    guard entries.count > 1, let wake = entries.baseAddress.map({ $0 + 1 }) else {
      throw .invalidArgument
    }
    if Glibc.poll(wake, 1, 0) > 0 {
      try state.withLock { state throws(Errno) in _ = try state.begin(.poll) }
      return 1
    }
    let descriptor = entries[0].fd
    if entries[0].events == Int16(POLLPRI) {
      return try waitForEvent(&entries[0], wake: wake, timeoutMilliseconds)
    }
    let wantsEvents = entries[0].events & Int16(POLLPRI) != 0
    let answer = try state.withLock { state throws(Errno) -> Int16 in
      let isGone = try state.begin(.poll)
      if descriptor < 0 {
        state.now += UInt64(max(timeoutMilliseconds, 0)) * 1_000_000
        return 0
      }
      if isGone { return Int16(POLLERR | POLLHUP) }
      guard let path = state.openPaths[descriptor] else { return Int16(POLLNVAL) }
      if wantsEvents, state.drivers[path]?.streamEvents[descriptor]?.isEmpty == false {
        return Int16(POLLPRI)
      }
      return state.drivers[path]?.wait(until: timeoutMilliseconds, now: &state.now) ?? 0
    }
    entries[0].revents = answer
    if answer == 0, timeoutMilliseconds < 0 {
      // Nothing will ever come but a signal.
      return Glibc.poll(wake, 1, 30_000)
    }
    return answer == 0 ? 0 : 1
  }

  /// Waits for an event of a device, which another thread causes.
  private func waitForEvent(
    _ entry: inout pollfd, wake: UnsafeMutablePointer<pollfd>, _ timeoutMilliseconds: Int32
  ) throws(Errno) -> Int32 {
    let descriptor = entry.fd
    try state.withLock { state throws(Errno) in _ = try state.begin(.poll) }
    while true {
      entry.revents = state.withLock { state in
        if state.callCount >= state.vanishesAtCall { return Int16(POLLERR | POLLHUP) }
        guard descriptor >= 0, let path = state.openPaths[descriptor] else { return 0 }
        return state.drivers[path]?.events[descriptor]?.isEmpty == false ? Int16(POLLPRI) : 0
      }
      if entry.revents != 0 { return 1 }
      let isWoken = Glibc.poll(wake, 1, 2) > 0
      if isWoken || timeoutMilliseconds >= 0 { return isWoken ? 1 : 0 }
    }
  }

  func monotonicNanoseconds() -> UInt64 { state.withLock { $0.now } }
}

extension FakeKernel.State {
  /// Frees what neither a descriptor nor a mapping holds: a mapping holds its file open.
  fileprivate mutating func releaseAbandoned() {
    for (path, driver) in drivers {
      guard let owner = driver.owner, openPaths[owner] == nil else { continue }
      if driver.buffers.allSatisfy({ $0.isUnmapped(mappings) }) {
        drivers[path]?.release(by: owner)
      }
    }
  }

  /// Counts a call and lets it fail as the script says.
  /// - Returns: Whether the devices are gone.
  fileprivate mutating func begin(_ call: FakeCall) throws(Errno) -> Bool {
    let occurrence = counts[call] ?? 0
    counts[call] = occurrence + 1
    callCount += 1
    if keepsLog { log.append(call) }
    for fault in faults where fault.call == call {
      if fault.occurrences?.contains(occurrence) ?? true { throw fault.errno }
    }
    return callCount > vanishesAtCall
  }
}
