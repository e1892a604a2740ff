import CVideo4Linux
import Glibc
import LinuxSystem
import Synchronization

extension VideoStream {
  /// What poll(2) has said.
  private enum Readiness {
    case readable, inError, hasEvent, woken, timedOut
  }

  /// Waits for the next frame, for as long as it takes but not beyond a deadline.
  ///
  /// Damaged, short and empty frames are delivered like others: the frame says what it is. The
  /// deadline is in nanoseconds of CLOCK_MONOTONIC; one that has passed only takes what is there.
  /// - Throws: `disconnected`, `streamingFailed`, `invalidAnswer`; the stream is to be stopped
  ///   then.
  package func nextFrame(deadline: UInt64) throws(VideoNodeError) -> NextFrame {
    while true {
      guard let run else { return .ended }
      run.queue.giveBackStranded()
      let readiness = try wait(for: run, until: deadline)
      switch readiness {
      case .woken:
        wake.drain()
        return self.run == nil ? .ended : .interrupted
      case .timedOut:
        return .timedOut
      case .hasEvent:
        if let result = try takeEvents(of: run) { return result }
        if try pauseAfterEmptyPromise(until: deadline) { return .timedOut }
      case .readable, .inError:
        if let result = try take(from: run, isInError: readiness == .inError) { return result }
        if try pauseAfterEmptyPromise(until: deadline) { return .timedOut }
      }
    }
  }

  /// As ``nextFrame(deadline:)``, with the time from now on.
  package func nextFrame(timeoutMilliseconds: Int) throws(VideoNodeError) -> NextFrame {
    let span = UInt64(clamping: timeoutMilliseconds).multipliedReportingOverflow(by: 1_000_000)
    let end = node.kernel.monotonicNanoseconds().addingReportingOverflow(span.partialValue)
    return try nextFrame(deadline: span.overflow || end.overflow ? .max : end.partialValue)
  }

  private func wait(for run: Run, until deadline: UInt64) throws(VideoNodeError) -> Readiness {
    let device: Int16
    let wake: Int16
    do {
      (device, wake) = try node.poll(
        run.descriptor.rawValue, for: run.hasEvents ? POLLIN | POLLPRI : POLLIN, or: self.wake,
        timeoutMilliseconds: milliseconds(until: deadline))
    } catch {
      throw node.failure(error, during: .stream)
    }
    if wake != 0 { return .woken }
    // A source that changes can end the stream: why comes before that it has.
    if device & Int16(POLLPRI) != 0 { return .hasEvent }
    if device & Int16(POLLERR | POLLHUP | POLLNVAL) != 0 { return .inError }
    return device == 0 ? .timedOut : .readable
  }

  /// Rounded up, so that a wait does not end before its deadline; for ever for the last one.
  private func milliseconds(until deadline: UInt64) -> Int32 {
    guard deadline != .max else { return -1 }
    let now = node.kernel.monotonicNanoseconds()
    guard deadline > now else { return 0 }
    return Int32(clamping: (deadline - now - 1) / 1_000_000 + 1)
  }

  /// Reads what the driver has told; nil where the stream goes on.
  private func takeEvents(of run: Run) throws(VideoNodeError) -> NextFrame? {
    for _ in 0..<VideoNode.eventLimit {
      let event: VideoNode.Event?
      do {
        event = try node.takeEvent()
      } catch {
        guard self.run != nil else { return .ended }
        guard node.isConnected else { throw .disconnected(node.path, error) }
        return nil
      }
      switch event {
      case .sourceChanged: return .sourceChanged
      case .controlChanged(let control) where control.identifier == ck_CID_PRIVACY:
        if control.value ?? 0 != 0 { return .privacyShutterClosed }
      case .controlChanged, .other: continue
      case nil: return nil
      }
    }
    return nil
  }

  /// Takes a frame out; nil where there is none after all.
  private func take(from run: Run, isInError: Bool) throws(VideoNodeError) -> NextFrame? {
    let dequeued: BufferQueue.Dequeued?
    do {
      dequeued = try run.queue.dequeue()
    } catch {
      return try outcome(of: error, run: run, isInError: isInError)
    }
    guard let dequeued else {
      guard self.run != nil else { return .ended }
      throw .invalidAnswer(node.path, "a buffer that it does not have")
    }
    let now = node.kernel.monotonicNanoseconds()
    progress.withLock { $0 = Progress() }
    let frame = LeasedFrame(dequeued, of: run.queue, dequeuedAt: now)
    let isEmpty = (0..<frame.planeCount).allSatisfy { frame.byteCount(ofPlane: $0) == 0 }
    return frame.flags.contains(.last) && isEmpty ? .ended : .frame(frame)
  }

  /// What a failed DQBUF means.
  private func outcome(
    of errno: Errno, run: Run, isInError: Bool
  ) throws(VideoNodeError) -> NextFrame? {
    // A stop on another thread takes the queue away under a wait.
    guard self.run != nil else { return .ended }
    switch errno {
    case .again where !isInError:
      return nil
    case .brokenPipe:
      return .ended
    case .inputOutput where !isInError:
      return try repaired(run)
    default:
      // EINVAL is also what a DQBUF gets that an unplug catches within the kernel, and an error
      // from poll(2) may be anything: the node knows.
      guard node.isConnected else { throw .disconnected(node.path, errno) }
      throw node.failure(errno, during: .stream)
    }
  }

  private func repaired(_ run: Run) throws(VideoNodeError) -> NextFrame {
    let failureCount = progress.withLock { progress in
      progress.failureCount += 1
      return progress.failureCount
    }
    do throws(Errno) {
      guard failureCount < Self.failureLimit else { throw .inputOutput }
      try run.queue.requeueDropped()
    } catch {
      guard node.isConnected else { throw .disconnected(node.path, error) }
      throw node.failure(error, during: .stream)
    }
    return .transient(.inputOutput)
  }

  /// Keeps a driver that promises frames and has none from taking a whole processor.
  /// - Returns: Whether the deadline has passed.
  private func pauseAfterEmptyPromise(until deadline: UInt64) throws(VideoNodeError) -> Bool {
    let emptyCount = progress.withLock { progress in
      progress.emptyCount += 1
      return progress.emptyCount
    }
    let now = node.kernel.monotonicNanoseconds()
    guard now < deadline else { return true }
    guard emptyCount > 1 else { return false }
    do {
      // Not drained, so that the wait that follows sees a signal too.
      _ = try node.poll(
        -1, for: POLLIN, or: wake,
        timeoutMilliseconds: milliseconds(until: min(deadline, now + 5_000_000)))
    } catch {
      throw node.failure(error, during: .stream)
    }
    return false
  }
}
