import CVideo4Linux
import LinuxSystem

extension VideoStream {
  /// Everything from the format to the first picture under way; undone where a step fails.
  func setUp(_ request: StreamRequest) throws(VideoNodeError) -> (Run, StreamSettings) {
    try node.reopenIfClosed()
    // Before the look at them, so that what changes in between is told.
    let tellsOfSource = node.subscribeToSource()
    let tellsOfShutter = node.subscribe(toControl: ck_CID_PRIVACY, includesOwn: false)
    let hasEvents = tellsOfSource || tellsOfShutter
    if hasEvents { node.dropEvents() }
    try checkSource()
    let format = try node.setFormat(request.fourcc, size: request.size)
    let interval: FrameInterval? =
      if let wish = request.interval {
        try node.setFrameInterval(wish)
      } else {
        try node.frameInterval()
      }
    let run = try makeQueue(
      count: request.bufferCount, format: format, hasEvents: hasEvents)
    do {
      try run.queue.queueAll()
    } catch {
      tearDown(run)
      throw node.failure(error, during: .buffers)
    }
    do {
      var type = CInt(bitPattern: node.bufferType)
      try node.call(Request.streamOn, &type)
    } catch {
      tearDown(run)
      throw node.failure(error, during: .streamOn)
    }
    let settings = StreamSettings(
      format: format, interval: interval, bufferCount: run.queue.grantedCount)
    return (run, settings)
  }

  /// A stream without a source would wait for ever, without an error.
  private func checkSource() throws(VideoNodeError) {
    if let input = try node.selectedInput() {
      guard !input.hasNoSignal else {
        throw .noSignal(node.path, input: input.name.isEmpty ? nil : input.name, nil)
      }
      if input.hasTimings { try node.adoptTimings(of: input) }
    }
    guard node.control(ck_CID_PRIVACY) ?? 0 == 0 else { throw .privacyShutter(node.path) }
  }

  /// STREAMOFF, munmap of what no lease holds, REQBUFS(0): in this order, as the driver refuses
  /// to free what is mapped. That the device is gone is no error in any of them.
  func tearDown(_ run: Run) {
    var buffers = run.queue.stop()
    var type = CInt(bitPattern: node.bufferType)
    try? node.call(Request.streamOff, &type)
    buffers.removeAll()
    do {
      _ = try requestBuffers(0)
    } catch .busy {
      // Frames are still held, and this driver cannot leave their memory to them: the buffers
      // go with the descriptor and the last mapping. The next start opens the node anew.
      node.close()
    } catch {}
  }

  private func makeQueue(
    count: Int, format: VideoFormat, hasEvents: Bool
  ) throws(VideoNodeError) -> Run {
    let wish = UInt32(min(max(count, 1), Int(VIDEO_MAX_FRAME)))
    let granted: UInt32
    do {
      granted = try requestBuffers(wish)
    } catch  where error == .invalidArgument || error == .notSupported {
      throw .notACamera(node.path, "it has no buffers that can be mapped into memory", error)
    } catch {
      throw node.failure(error, during: .buffers)
    }
    var buffers: [MappedBuffer] = []
    do throws(VideoNodeError) {
      guard granted > 0 else {
        throw .invalidAnswer(node.path, "no buffers at all")
      }
      let descriptor = try openDescriptor()
      // More than were asked for may be granted, but a bit is all that the queue has for each.
      for index in 0..<min(granted, 64) {
        buffers.append(try mapBuffer(index, descriptor: descriptor, format: format))
      }
      let queue = BufferQueue(node: node, descriptor: descriptor, buffers: buffers)
      return Run(queue: queue, descriptor: descriptor, hasEvents: hasEvents)
    } catch {
      buffers.removeAll()
      _ = try? requestBuffers(0)
      throw error
    }
  }

  private func openDescriptor() throws(VideoNodeError) -> Descriptor {
    do {
      return try node.openDescriptor()
    } catch {
      throw node.failure(error, during: .buffers)
    }
  }

  private func requestBuffers(_ count: UInt32) throws(Errno) -> UInt32 {
    var request = v4l2_requestbuffers()
    request.count = count
    request.type = node.bufferType
    request.memory = V4L2_MEMORY_MMAP.rawValue
    try node.call(Request.requestBuffers, &request)
    return request.count
  }

  private func mapBuffer(
    _ index: UInt32, descriptor: Descriptor, format: VideoFormat
  ) throws(VideoNodeError) -> MappedBuffer {
    let areas = try memoryAreas(of: index)
    guard areas.count >= format.planes.count else {
      throw .invalidAnswer(
        node.path, "buffers of \(areas.count) planes for pictures of \(format.planes.count)")
    }
    var planes: [UnsafeMutableRawBufferPointer] = unsafe []
    do throws(Errno) {
      for area in areas {
        let plane = try unsafe withoutInterrupts { () throws(Errno) in
          try unsafe node.kernel.mmap(
            descriptor.rawValue, length: Int(area.length), offset: Int(area.mem_offset))
        }
        unsafe planes.append(plane)
      }
    } catch {
      // Owned, and so unmapped.
      _ = unsafe MappedBuffer(owning: planes, of: node.kernel)
      throw node.failure(error, during: .buffers)
    }
    return unsafe MappedBuffer(owning: planes, of: node.kernel)
  }

  private func memoryAreas(of index: UInt32) throws(VideoNodeError) -> [ck_plane] {
    var request = unsafe ck_buffer()
    let areas: [ck_plane]
    do {
      areas = try unsafe withUnsafeMutablePointer(to: &request) { request throws(Errno) in
        unsafe ck_buffer_prepare(request, node.bufferType, index)
        try unsafe node.call(Request.queryBuffer, at: request)
        let count = unsafe min(ck_buffer_plane_count(request), UInt32(VIDEO_MAX_PLANES))
        return (0..<count).map { unsafe ck_buffer_plane(request, $0) }
      }
    } catch {
      throw node.failure(error, during: .buffers)
    }
    guard !areas.isEmpty, areas.allSatisfy({ $0.length > 0 }) else {
      throw .invalidAnswer(node.path, "a buffer without memory")
    }
    return areas
  }
}
