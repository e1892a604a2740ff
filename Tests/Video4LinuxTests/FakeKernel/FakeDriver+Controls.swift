import CVideo4Linux
import LinuxSystem
import Video4Linux

/// Structures are written byte by byte, as the kernel's documentation lays them out: the package's
/// own reading of them is under test.
extension FakeDriver {
  private static let nextControl: UInt32 = 0x8000_0000
  private static let nextCompound: UInt32 = 0x4000_0000

  mutating func answerControls(
    _ call: FakeCall, _ argument: UnsafeMutableRawPointer, from descriptor: Int32
  ) throws(Errno) {
    switch call {
    case .queryControl: try queryControl(argument, isExtended: false)
    case .queryExtendedControl: try queryControl(argument, isExtended: true)
    case .queryMenu: try queryMenu(argument)
    case .getControl: try getControl(argument)
    case .setControl:
      let id = argument.load(as: UInt32.self)
      try checkWrite(id, number: Int64(argument.load(fromByteOffset: 4, as: Int32.self)))
      try write(id, number: Int64(argument.load(fromByteOffset: 4, as: Int32.self)))
    case .getExtendedControls, .setExtendedControls, .tryExtendedControls:
      try exchangeControls(call, argument)
    case .subscribeEvent:
      let id = argument.load(fromByteOffset: 4, as: UInt32.self)
      guard device.tellsOfControls, controlIndex(id) != nil else { throw .invalidArgument }
      watched[descriptor, default: []].insert(id)
    case .dequeueEvent:
      guard var waiting = events[descriptor], !waiting.isEmpty else { throw .noEntry }
      write(waiting.removeFirst(), argument)
      events[descriptor] = waiting
    default: throw .notSupported
    }
  }

  /// Changes a control as the device itself does.
  mutating func change(_ id: UInt32, to value: Int64) {
    guard let index = controlIndex(id) else { return }
    let before = device.controlModels.map { currentFlags($0) }
    device.controlModels[index].value = value
    for (index, control) in device.controlModels.enumerated() {
      let hasNewFlags = before[index] != currentFlags(control)
      guard control.id == id || hasNewFlags else { continue }
      let change = Event(
        id: control.id, changes: (control.id == id ? 1 : 0) | (hasNewFlags ? 2 : 0),
        type: control.type.rawValue, value: control.value, flags: currentFlags(control))
      for (descriptor, ids) in watched where ids.contains(control.id) {
        events[descriptor, default: []].append(change)
      }
    }
  }

  struct Event: Sendable {
    var id: UInt32
    var changes: UInt32
    var type: UInt32
    var value: Int64
    var flags: UInt32
  }

  private func write(_ event: Event, _ answer: UnsafeMutableRawPointer) {
    answer.storeBytes(of: 3, as: UInt32.self)
    answer.storeBytes(of: event.changes, toByteOffset: 8, as: UInt32.self)
    answer.storeBytes(of: event.type, toByteOffset: 12, as: UInt32.self)
    answer.storeBytes(of: event.value, toByteOffset: 16, as: Int64.self)
    answer.storeBytes(of: event.flags, toByteOffset: 24, as: UInt32.self)
    answer.storeBytes(of: event.id, toByteOffset: 96, as: UInt32.self)
  }
}

// MARK: - Descriptions

extension FakeDriver {
  private func controlIndex(_ id: UInt32) -> Int? {
    device.controlModels.firstIndex { $0.id == id }
  }

  private func queryControl(
    _ argument: UnsafeMutableRawPointer, isExtended: Bool
  ) throws(Errno) {
    guard !device.controlModels.isEmpty, !isExtended || device.knowsExtendedQuery else {
      throw .notSupported
    }
    let control = try askedControl(argument.load(as: UInt32.self), isExtended: isExtended)
    if let errno = control.queryErrno { throw errno }
    argument.storeBytes(of: control.id, as: UInt32.self)
    argument.storeBytes(of: control.type.rawValue, toByteOffset: 4, as: UInt32.self)
    let name = UnsafeMutableRawBufferPointer(start: argument + 8, count: 32)
    name.copyBytes(from: [UInt8](repeating: 0, count: 32))
    name.copyBytes(from: control.name.utf8.prefix(32))
    let maximum = maximum(of: control)
    if isExtended {
      argument.storeBytes(of: control.minimum, toByteOffset: 40, as: Int64.self)
      argument.storeBytes(of: maximum, toByteOffset: 48, as: Int64.self)
      argument.storeBytes(of: control.step, toByteOffset: 56, as: UInt64.self)
      argument.storeBytes(of: control.defaultValue, toByteOffset: 64, as: Int64.self)
      argument.storeBytes(of: currentFlags(control), toByteOffset: 72, as: UInt32.self)
      argument.storeBytes(of: control.dimensions, toByteOffset: 84, as: UInt32.self)
    } else {
      let numbers = [control.minimum, maximum, Int64(control.step), control.defaultValue]
      for (index, number) in numbers.enumerated() {
        argument.storeBytes(
          of: Int32(truncatingIfNeeded: number), toByteOffset: 40 + 4 * index, as: Int32.self)
      }
      argument.storeBytes(of: currentFlags(control), toByteOffset: 56, as: UInt32.self)
    }
  }

  private func askedControl(_ asked: UInt32, isExtended: Bool) throws(Errno) -> FakeControl {
    let id = asked & 0x0FFF_FFFF
    guard asked & Self.nextControl != 0 else {
      guard let index = controlIndex(asked) else { throw .invalidArgument }
      return device.controlModels[index]
    }
    // An older kernel takes the flag for compound controls for a part of the number.
    guard device.knowsNextControl, isExtended || asked & Self.nextCompound == 0 else {
      throw .invalidArgument
    }
    if device.controlListIsEndless, var control = device.controlModels.first {
      control.id = id + 1
      return control
    }
    if device.controlListStandsStill, let control = device.controlModels.first { return control }
    let next = device.controlModels.filter { $0.id > id }.min { $0.id < $1.id }
    guard let next else { throw .invalidArgument }
    return next
  }

  private func queryMenu(_ argument: UnsafeMutableRawPointer) throws(Errno) {
    guard let index = controlIndex(argument.load(as: UInt32.self)) else { throw .invalidArgument }
    let item = device.controlModels[index].menu[argument.load(fromByteOffset: 4, as: UInt32.self)]
    switch item {
    case nil: throw .invalidArgument
    case .name(let name):
      UnsafeMutableRawBufferPointer(start: argument + 8, count: 32)
        .copyBytes(from: name.utf8.prefix(32))
    case .number(let number):
      argument.storeBytes(of: number, toByteOffset: 8, as: Int64.self)
    }
  }

  private func maximum(of control: FakeControl) -> Int64 {
    guard control.followsFrameInterval, interval.denominator > 0 else { return control.maximum }
    return Int64(interval.numerator) * 10_000 / Int64(interval.denominator)
  }

  private func currentFlags(_ control: FakeControl) -> UInt32 {
    isGoverned(control) ? control.flags | 0x10 : control.flags
  }

  private func isGoverned(_ control: FakeControl) -> Bool {
    guard let governor = control.governor, let index = controlIndex(governor.id) else {
      return false
    }
    return !governor.freeing.contains(device.controlModels[index].value)
  }
}

// MARK: - Values

extension FakeDriver {
  private func getControl(_ argument: UnsafeMutableRawPointer) throws(Errno) {
    let id = argument.load(as: UInt32.self)
    if let value = device.controls[id] {
      argument.storeBytes(of: value, toByteOffset: 4, as: Int32.self)
      return
    }
    let control = try readable(id)
    argument.storeBytes(
      of: Int32(truncatingIfNeeded: control.value), toByteOffset: 4, as: Int32.self)
  }

  private func readable(_ id: UInt32) throws(Errno) -> FakeControl {
    guard let index = controlIndex(id) else { throw .invalidArgument }
    let control = device.controlModels[index]
    if control.flags & 0x40 != 0 || control.type == .button { throw .accessDenied }
    if let errno = control.readErrno { throw errno }
    return control
  }

  private func checkWrite(_ id: UInt32, number: Int64) throws(Errno) {
    guard let index = controlIndex(id) else { throw .invalidArgument }
    let control = device.controlModels[index]
    if control.flags & 0x4 != 0 { throw .accessDenied }
    if control.flags & 0x2 != 0 { throw .busy }
    guard control.type.isNumber, control.type != .button else { return }
    let isKnown = !(control.type == .menu) || control.menu[UInt32(clamping: number)] != nil
    guard number >= control.minimum, number <= maximum(of: control), isKnown else {
      throw Errno(rawValue: 34)
    }
  }

  private mutating func write(_ id: UInt32, number: Int64) throws(Errno) {
    guard let index = controlIndex(id) else { throw .invalidArgument }
    let control = device.controlModels[index]
    if let errno = control.writeErrno { throw errno }
    if isGoverned(control) { throw .accessDenied }
    device.controlWrites.append((id, number))
    if control.type != .button { change(id, to: number) }
  }

  private mutating func exchangeControls(
    _ call: FakeCall, _ argument: UnsafeMutableRawPointer
  ) throws(Errno) {
    guard device.knowsExtendedValues else { throw .notSupported }
    let count = argument.load(fromByteOffset: 4, as: UInt32.self)
    func fail(at index: UInt32) { argument.storeBytes(of: index, toByteOffset: 8, as: UInt32.self) }
    guard argument.load(as: UInt32.self) == 0, count <= 1024,
      let entries = argument.load(fromByteOffset: 24, as: UnsafeMutableRawPointer?.self)
    else {
      violate("controls in a request that is none")
      throw .invalidArgument
    }
    for index in 0..<count where call != .getExtendedControls {
      let entry = entries + 20 * Int(index)
      do {
        try checkWrite(id(of: entry), number: number(in: entry))
      } catch {
        // Whoever only tries is told where; whoever sets is told that nothing was set.
        fail(at: call == .tryExtendedControls ? index : count)
        throw error
      }
    }
    for index in 0..<count where call != .tryExtendedControls {
      let entry = entries + 20 * Int(index)
      do {
        try call == .getExtendedControls ? read(into: entry) : write(from: entry)
      } catch {
        fail(at: index)
        throw error
      }
    }
  }

  private func id(of entry: UnsafeMutableRawPointer) -> UInt32 {
    entry.loadUnaligned(as: UInt32.self)
  }

  private func type(of entry: UnsafeMutableRawPointer) -> ControlType? {
    controlIndex(id(of: entry)).map { device.controlModels[$0].type }
  }

  private func number(in entry: UnsafeMutableRawPointer) -> Int64 {
    switch type(of: entry) {
    case .integer64: entry.loadUnaligned(fromByteOffset: 12, as: Int64.self)
    case .bitmask: Int64(entry.loadUnaligned(fromByteOffset: 12, as: UInt32.self))
    default: Int64(entry.loadUnaligned(fromByteOffset: 12, as: Int32.self))
    }
  }

  private func memory(
    of entry: UnsafeMutableRawPointer
  ) throws(Errno) -> UnsafeMutableRawBufferPointer {
    let size = entry.loadUnaligned(fromByteOffset: 4, as: UInt32.self)
    let start = entry.loadUnaligned(fromByteOffset: 12, as: UInt.self)
    guard size > 0, let start = UnsafeMutableRawPointer(bitPattern: start) else {
      throw .badAddress
    }
    return UnsafeMutableRawBufferPointer(start: start, count: Int(size))
  }

  private func read(into entry: UnsafeMutableRawPointer) throws(Errno) {
    let control = try readable(id(of: entry))
    switch control.type {
    case .string:
      let memory = try memory(of: entry)
      guard control.text.utf8.count < memory.count else { throw .noSpace }
      memory.copyBytes(from: Array(control.text.utf8) + [0])
    case .integer64:
      entry.storeBytes(of: control.value, toByteOffset: 12, as: Int64.self)
    default:
      entry.storeBytes(
        of: Int32(truncatingIfNeeded: control.value), toByteOffset: 12, as: Int32.self)
    }
  }

  private mutating func write(from entry: UnsafeMutableRawPointer) throws(Errno) {
    let id = id(of: entry)
    guard type(of: entry) == .string else { return try write(id, number: number(in: entry)) }
    guard let index = controlIndex(id) else { throw .invalidArgument }
    let memory = try memory(of: entry)
    device.controlModels[index].text = String(
      decoding: memory.prefix { $0 != 0 }, as: UTF8.self)
  }
}
