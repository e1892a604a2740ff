import CVideo4Linux

extension BufferQueue.Dequeued {
  /// Reads what the driver wrote, and believes no length.
  init(index: Int, buffer: MappedBuffer, answer: UnsafePointer<ck_buffer>) {
    let header = unsafe answer.pointee.buffer
    let flags = unsafe BufferFlags(rawValue: header.flags)
    let claimed = unsafe Int(ck_buffer_plane_count(answer))
    let count = unsafe min(claimed, buffer.planes.count, Self.planeLimit)
    var planes = InlineArray<8, PlaneExtent>(repeating: .empty)
    var isClamped = false
    for index in 0..<count {
      let plane = unsafe ck_buffer_plane(answer, UInt32(index))
      let capacity = unsafe buffer.planes[index].count
      planes[index] = PlaneExtent(
        used: plane.bytesused, offset: plane.data_offset, capacity: capacity)
      isClamped = isClamped || plane.bytesused > capacity
    }
    self.isClamped = isClamped
    self.index = index
    self.buffer = buffer
    self.flags = flags
    unsafe sequence = header.sequence
    field = unsafe Field(rawValue: header.field)
    timestamp = unsafe BufferTimestamp(
      seconds: Int64(header.timestamp.tv_sec), microseconds: Int64(header.timestamp.tv_usec),
      flags: flags)
    self.planes = planes
    // A driver that leaves planes out has left them empty.
    planeCount = unsafe min(buffer.planes.count, Self.planeLimit)
  }

  private static let planeLimit = 8
}
