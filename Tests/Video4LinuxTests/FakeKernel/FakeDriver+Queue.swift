import CVideo4Linux
import Glibc
import LinuxSystem
import Video4Linux

extension FakeDriver {
  mutating func requestBuffers(
    _ request: inout v4l2_requestbuffers, from descriptor: Int32, mappings: [UInt: FakeMemory]
  ) throws(Errno) {
    guard request.type == bufferType, request.memory == 1 else { throw .invalidArgument }
    if let owner, owner != descriptor { throw .busy }
    if isStreaming { throw .busy }
    if !device.orphansBuffers, buffers.contains(where: { !$0.isUnmapped(mappings) }) {
      throw .busy
    }
    if request.count == 0, buffers.contains(where: { !$0.isUnmapped(mappings) }),
      !device.orphansBuffers
    {
      violate("REQBUFS(0) before munmap")
    }
    request.count = request.count == 0 ? 0 : device.grantedCount(request.count)
    let lengths = (0..<format.plane_count).map { plane in
      Int(device.memoryLength ?? ck_image_format_sizeimage(format, plane))
    }
    buffers = (0..<request.count).map { _ in
      Buffer(planes: lengths.map { FakeMemory(length: max($0, 1)) })
    }
    owner = request.count == 0 ? nil : descriptor
    filled = []
    waiting = []
  }

  /// The last descriptor is closed and nothing is mapped.
  mutating func release(by descriptor: Int32) {
    guard owner == descriptor else { return }
    streamOff()
    buffers = []
    owner = nil
  }

  func memory(atOffset offset: Int) -> FakeMemory? {
    let (index, plane) = (offset / 0x80_0000, offset % 0x80_0000 / 0x10_0000)
    guard buffers.indices.contains(index), buffers[index].planes.indices.contains(plane) else {
      return nil
    }
    return buffers[index].planes[plane]
  }

  mutating func queryBuffer(_ answer: inout v4l2_buffer) throws(Errno) {
    guard answer.type == bufferType, answer.index < buffers.count else { throw .invalidArgument }
    try describe(Int(answer.index), &answer)
  }

  mutating func queueBuffer(_ request: inout v4l2_buffer, from descriptor: Int32) throws(Errno) {
    guard request.type == bufferType, request.memory == 1, request.index < buffers.count,
      owner == descriptor
    else {
      violate("QBUF of buffer \(request.index) of \(buffers.count)")
      throw .invalidArgument
    }
    let index = Int(request.index)
    guard buffers[index].owner == .application else {
      violate("QBUF of buffer \(index), which the driver has")
      throw .invalidArgument
    }
    buffers[index].owner = .driver
    waiting.append(index)
  }

  mutating func streamOn(now: UInt64) throws(Errno) {
    guard !buffers.isEmpty else { throw .invalidArgument }
    isStreaming = true
    sequence = 0
    nextDue = now + intervalNanoseconds
  }

  mutating func streamOff() {
    isStreaming = false
    for index in buffers.indices { buffers[index].owner = .application }
    filled = []
    waiting = []
  }

  mutating func dequeueBuffer(_ answer: inout v4l2_buffer) throws(Errno) {
    guard answer.type == bufferType, isStreaming else { throw .invalidArgument }
    if producedCount >= device.pollErrorAtFrame { throw .inputOutput }
    if pendingDrops > 0 {
      pendingDrops -= 1
      throw .inputOutput
    }
    guard let index = filled.first else { throw .again }
    filled.removeFirst()
    buffers[index].owner = .application
    try describe(index, &answer)
    if let claimed = buffers[index].frame.claimedIndex { answer.index = claimed }
  }

  /// Lets time pass until there is a frame or the time is up.
  /// - Returns: The answer for poll(2).
  mutating func wait(until timeoutMilliseconds: Int32, now: inout UInt64) -> Int16 {
    guard isStreaming else { return Int16(POLLERR) }
    if producedCount >= device.pollErrorAtFrame { return Int16(POLLERR) }
    if device.promisesFrames || !filled.isEmpty || pendingDrops > 0 { return Int16(POLLIN) }
    let end =
      timeoutMilliseconds < 0 ? UInt64.max : now + UInt64(timeoutMilliseconds) * 1_000_000
    let script = producedCount < device.frames.count ? device.frames[producedCount] : FakeFrame()
    let due =
      script.delayNanoseconds.map { nextDue - intervalNanoseconds + $0 } ?? nextDue
    guard producedCount < device.frameCount, let index = waiting.first, due <= end else {
      if timeoutMilliseconds >= 0 { now = end }
      return 0
    }
    now = max(now, due)
    nextDue = now + intervalNanoseconds
    waiting.removeFirst()
    fill(index, with: script, now: now)
    return Int16(POLLIN)
  }

  private mutating func fill(_ index: Int, with script: FakeFrame, now: UInt64) {
    producedCount += 1
    if script.isDropped {
      buffers[index].owner = .application
      pendingDrops += 1
      return
    }
    sequence &+= script.sequenceGap
    buffers[index].owner = .filled
    buffers[index].frame = script
    if script.repeatsLast {
      buffers[index].sequence = sequence &- 1
      buffers[index].takenAt = lastStamp
    } else {
      buffers[index].sequence = sequence
      buffers[index].takenAt = now / 1000 * 1000
      sequence &+= 1
      lastStamp = buffers[index].takenAt
    }
    for plane in buffers[index].planes {
      guard device.picture == nil else {
        plane.bytes.copyBytes(from: device.picture?.prefix(plane.length) ?? [])
        continue
      }
      plane.write(buffers[index].sequence, offset: Int(script.dataOffset))
    }
    filled.append(index)
  }

  private var intervalNanoseconds: UInt64 {
    UInt64(interval.numerator) * 1_000_000_000 / UInt64(max(interval.denominator, 1))
  }

  private func describe(_ index: Int, _ answer: inout v4l2_buffer) throws(Errno) {
    let buffer = buffers[index]
    let frame = buffer.frame
    let count = device.queriedPlaneCount ?? UInt32(buffer.planes.count)
    answer.index = UInt32(index)
    answer.flags = (frame.hasError ? 0x40 : 0) | (frame.isLast ? 0x10_0000 : 0) | frame.clockFlags
    switch buffer.owner {
    case .driver: answer.flags |= 2
    case .filled: answer.flags |= 4
    case .application: break
    }
    answer.sequence = buffer.sequence
    answer.field = 1
    answer.timestamp = timeval(
      tv_sec: frame.stamp?.seconds ?? Int(buffer.takenAt / 1_000_000_000),
      tv_usec: frame.stamp?.microseconds ?? Int(buffer.takenAt % 1_000_000_000 / 1000))
    if device.isMultiplanar {
      guard let planes = answer.m.planes, answer.length >= count else { throw .invalidArgument }
      for plane in 0..<Int(min(count, 8)) {
        let length = plane < buffer.planes.count ? buffer.planes[plane].length : 64
        planes[plane].length = UInt32(length)
        planes[plane].bytesused = frame.bytesUsed ?? UInt32(length)
        planes[plane].data_offset = frame.dataOffset
        planes[plane].m.mem_offset = UInt32(index * 0x80_0000 + plane * 0x10_0000)
      }
      answer.length = count
    } else {
      let length = UInt32(device.memoryLength ?? UInt32(buffer.planes[0].length))
      answer.length = length
      answer.bytesused = frame.bytesUsed ?? length
      answer.m.offset = UInt32(index * 0x80_0000)
    }
  }
}
