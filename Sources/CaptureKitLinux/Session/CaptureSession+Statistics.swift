import Synchronization

extension CaptureSession {
  /// What has become of the frames of all cameras since the session was made, and what was done for
  /// them.
  public var statistics: CaptureStatistics {
    let (past, loops) = storage.withLock { storage in
      (storage.pastStatistics.values + [storage.departedStatistics], storage.loops)
    }
    let current = loops.map(\.statistics)
    var sum = (past + current).reduce(CaptureStatistics()) { $0 + $1 }
    let durations = Set(current.map(\.nominalFrameDuration))
    sum.nominalFrameDuration = durations.count == 1 ? current.first?.nominalFrameDuration : nil
    return sum
  }

  /// The same for one camera; nothing for an input of another session.
  public func statistics(of input: CaptureDeviceInput) -> CaptureStatistics {
    let (past, loop) = storage.withLock { storage in
      (storage.pastStatistics[ObjectIdentifier(input)], storage.loops.first { $0.input === input })
    }
    let current = loop?.statistics ?? CaptureStatistics()
    var sum = (past ?? CaptureStatistics()) + current
    sum.nominalFrameDuration = current.nominalFrameDuration
    return sum
  }
}

extension CaptureSession.Storage {
  /// What is being changed becomes what the session is made of.
  mutating func commit(_ configuration: SessionConfiguration) {
    committed = configuration
    pending = nil
    forgetDepartedInputs()
  }

  /// Keeps nothing of an input that has gone: another one may get its place in memory, and so its
  /// identifier.
  mutating func forgetDepartedInputs() {
    let inputs = committed.inputs + (pending?.inputs ?? []) + loops.map(\.input)
    let departed = pastStatistics.keep(inputs)
    departedStatistics = departed.reduce(departedStatistics) { $0 + $1 }
    _ = cameraStates.keep(inputs)
  }
}
