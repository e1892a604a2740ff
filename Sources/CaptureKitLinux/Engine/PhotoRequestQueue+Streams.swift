import Dispatch
import Imaging
import Synchronization

/// What comes from the cameras.
extension PhotoRequestQueue {
  func streamStarted(_ connection: CaptureConnection, settledAt: HostTime) {
    let settles = settledAt > connection.input.device.environment.clock.now
    let delayed = state.withLock { state in
      state.streams.removeAll { $0.connection == ObjectIdentifier(connection) }
      state.streams.append(Stream(connection: ObjectIdentifier(connection), settledAt: settledAt))
      return settles ? state.waitAnew(on: connection, settledAt: settledAt) : []
    }
    for (order, time) in delayed { setDeadline(of: order, at: time) }
    readinessHasChanged()
  }

  func streamEnded(_ connection: CaptureConnection, _ error: CaptureError) {
    let ids = state.withLock { state in
      if let index = state.stream(of: connection) {
        state.streams[index].end = error
        state.streams[index].recent.removeAll()
      }
      return state.entries.filter { $0.order.connection === connection }.map(\.order.id)
    }
    for id in ids { end(id, error) }
    readinessHasChanged()
  }

  /// Why a connection's camera ended by itself; nil where it runs, or was stopped.
  func failure(of connection: CaptureConnection) -> CaptureError? {
    let end = state.withLock { state in
      state.stream(of: connection).flatMap { state.streams[$0].end }
    }
    return end?.code == .stopped ? nil : end
  }

  /// Forgets a connection; its requests end.
  func disconnected(_ connection: CaptureConnection) {
    streamEnded(connection, CaptureError(.noConnection))
    state.withLock { $0.streams.removeAll { $0.connection == ObjectIdentifier(connection) } }
  }
}

// MARK: - Frames, on the camera's thread

extension PhotoRequestQueue {
  /// Who waits for a frame, and what is known of it.
  fileprivate struct Reception {
    var ids: [Int64] = []
    var sincePrevious: Duration?
    var hasSettled = false
    var wantsLook = false
  }

  /// Offers a frame to the waiting requests; most often nobody waits.
  func receive(_ frame: CapturedFrame, from connection: CaptureConnection) {
    let now = connection.input.device.environment.clock.now
    keep(frame, of: connection)
    var reception = state.withLock { $0.receive(frame, from: connection, at: now) }
    guard !reception.ids.isEmpty else { return }
    if reception.wantsLook { reception.hasSettled = look(at: frame, of: connection) }
    let facts = PhotoRequestMachine.FrameFacts(
      timestamp: frame.timestamp,
      duration: (frame.duration ?? connection.format?.frameDuration)?.duration,
      sincePreviousPickup: reception.sincePrevious, hasSettled: reception.hasSettled)
    for id in reception.ids { advance(id, frame: frame) { $0.receive(facts) } }
  }

  /// A frame was damaged: those who wait for one are told so, should no other come.
  func meetDamage(on connection: CaptureConnection) {
    state.withLock { state in
      for index in state.entries.indices
      where state.entries[index].order.connection === connection {
        state.entries[index].machine.meetDamage()
      }
    }
  }

  /// Keeps a copy where photos shall show the moment of their request: a copy, since the driver
  /// would miss its buffer.
  private func keep(_ frame: CapturedFrame, of connection: CaptureConnection) {
    guard state.withLock({ $0.keepsRecentFrames }) else { return }
    let copy = frame.inOwnMemory
    state.withLock { state in
      guard let index = state.stream(of: connection), state.streams[index].end == nil else {
        return
      }
      state.streams[index].recent.add(copy)
    }
  }

  /// Looks whether exposure has settled: at raw samples at once, at a JPEG, which takes
  /// milliseconds, aside.
  ///
  /// - Returns: Whether it has.
  private func look(at frame: CapturedFrame, of connection: CaptureConnection) -> Bool {
    guard frame.pixelFormat.isJPEG else {
      let color = frame.pixelBuffer.flatMap(AverageColor.init(of:))
      return note(color, of: frame, connection)
    }
    judging.async { [self] in
      _ = note(AverageColor(ofJPEG: frame.bytes), of: frame, connection)
    }
    return false
  }

  private func note(
    _ color: AverageColor?, of frame: CapturedFrame, _ connection: CaptureConnection
  ) -> Bool {
    state.withLock { state in
      guard let index = state.stream(of: connection) else { return false }
      state.streams[index].isJudging = false
      if let color { state.streams[index].judge.look(at: color, takenAt: frame.timestamp.time) }
      return state.streams[index].judge.hasSettled
    }
  }
}

extension PhotoRequestQueue.State {
  /// Takes note of a frame's arrival.
  fileprivate mutating func receive(
    _ frame: CapturedFrame, from connection: CaptureConnection, at now: HostTime
  ) -> PhotoRequestQueue.Reception {
    var reception = PhotoRequestQueue.Reception(ids: waiting(on: connection))
    guard let index = stream(of: connection) else { return reception }
    let stream = streams[index]
    streams[index].lastPickup = now
    reception.sincePrevious = stream.lastPickup.map { $0.duration(to: now) }
    reception.hasSettled = stream.judge.hasSettled
    reception.wantsLook =
      !reception.ids.isEmpty && frame.timestamp.time < stream.settledAt && !stream.isJudging
      && stream.judge.wants(frameAt: frame.timestamp.time)
    if reception.wantsLook { streams[index].isJudging = true }
    return reception
  }

  /// The requests that may have the connection's next frame: those before the first that needs the
  /// camera for itself, or that one.
  private func waiting(on connection: CaptureConnection) -> [Int64] {
    guard !entries.isEmpty else { return [] }
    let pictures = entries.reduce(0) { $0 + $1.machine.processingCount }
    var ids: [Int64] = []
    var isFirst = true
    for entry in entries where entry.order.connection === connection && entry.wantsCamera {
      guard !entry.isExclusive || isFirst else { break }
      isFirst = false
      let mayHaveMore =
        entry.machine.processingCount == 0 || pictures < PhotoReadiness.mostPictures
      if entry.machine.isWaiting, mayHaveMore { ids.append(entry.order.id) }
      if entry.isExclusive { break }
    }
    return ids
  }
}

extension PhotoRequestQueue.State {
  /// Lets the requests that wait for a camera's frame wait until its exposure has settled after a
  /// restart.
  ///
  /// - Returns: Those whose time would be up before, and when it is now: each once, so that a
  ///   camera that is restarted without end keeps no request from its end.
  fileprivate mutating func waitAnew(
    on connection: CaptureConnection, settledAt: HostTime
  ) -> [(order: PhotoRequestQueue.Order, deadline: HostTime)] {
    var delayed: [(order: PhotoRequestQueue.Order, deadline: HostTime)] = []
    for index in entries.indices where entries[index].order.connection === connection {
      let wishes = entries[index].order.wishes
      guard wishes.prioritization != .speed else { continue }
      entries[index].machine.streamIsRestarted(settledBy: settledAt)
      let end = settledAt.advanced(by: min(wishes.timeout, .seconds(1)))
      guard let deadline = entries[index].deadline, deadline.time < end,
        !entries[index].hasSeenRestart
      else { continue }
      entries[index].hasSeenRestart = true
      delayed.append((entries[index].order, end))
    }
    return delayed
  }
}

// MARK: - Zero shutter lag

extension PhotoRequestQueue {
  func keepRecentFrames(_ keeps: Bool) {
    state.withLock { state in
      state.keepsRecentFrames = keeps
      guard !keeps else { return }
      for index in state.streams.indices { state.streams[index].recent.removeAll() }
    }
  }

  /// Gives a request the frame that shows the moment when it was made, where there is one.
  func offerEarlierFrames(to order: Order, at now: HostTime) {
    guard order.preparation == nil, order.resolved.expectedPhotoCount == 1 else { return }
    let frame = state.withLock { state -> CapturedFrame? in
      guard let stream = state.stream(of: order.connection).map({ state.streams[$0] }),
        let entry = state.index(of: order.id)
      else { return nil }
      let waitsForSettling = order.wishes.prioritization != .speed && !stream.judge.hasSettled
      var frames = stream.recent.candidates(at: now)
      if waitsForSettling { frames.removeAll { $0.timestamp.time < stream.settledAt } }
      let first = frames.isEmpty ? nil : frames.removeFirst()
      state.entries[entry].earlier = frames
      return first
    }
    guard let frame else { return }
    advance(order.id, frame: frame) { $0.receiveEarlier() }
  }

  /// The next frame from before a request, where the one before it was damaged.
  func offerNextEarlierFrame(to id: Int64) {
    let frame = state.withLock { state -> CapturedFrame? in
      guard let index = state.index(of: id), !state.entries[index].earlier.isEmpty else {
        return nil
      }
      return state.entries[index].earlier.removeFirst()
    }
    guard let frame else { return }
    advance(id, frame: frame) { $0.receiveEarlier() }
  }
}
