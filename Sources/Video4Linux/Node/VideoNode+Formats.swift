import CVideo4Linux
import LinuxSystem

extension VideoNode {
  /// How many entries of a driver's list are read at most: more is a driver that never ends.
  static let enumerationLimit: UInt32 = 512

  /// The pixel formats that the node offers, each once, in the driver's order.
  /// - Throws: `disconnected` or whatever else keeps the driver from answering at all.
  package func pixelFormats() throws(VideoNodeError) -> [PixelFormatDescription] {
    var found: [PixelFormatDescription] = []
    for index in 0..<Self.enumerationLimit {
      var entry = v4l2_fmtdesc()
      entry.index = index
      entry.type = bufferType
      guard let entry = try listEntry(Request.enumerateFormats, entry) else { break }
      let fourcc = FourCC(rawValue: entry.pixelformat)
      // A driver that repeats itself may do so for ever.
      guard !found.contains(where: { $0.fourcc == fourcc }) else { continue }
      found.append(
        PixelFormatDescription(
          fourcc: fourcc, description: kernelText(entry.description),
          isCompressed: entry.flags & UInt32(V4L2_FMT_FLAG_COMPRESSED) != 0))
    }
    return found
  }

  /// The picture sizes of a pixel format.
  /// - Throws: `disconnected` or whatever else keeps the driver from answering at all.
  package func frameSizes(of fourcc: FourCC) throws(VideoNodeError) -> FrameSizes {
    var found: [FrameSize] = []
    for index in 0..<Self.enumerationLimit {
      var entry = v4l2_frmsizeenum()
      entry.index = index
      entry.pixel_format = fourcc.rawValue
      guard let entry = try listEntry(Request.enumerateFrameSizes, entry) else { break }
      let size = ck_frame_size_read(entry)
      let minimum = FrameSize(width: size.min_width, height: size.min_height)
      if size.type == V4L2_FRMSIZE_TYPE_DISCRETE.rawValue {
        guard minimum.area > 0 else { continue }
        // The same again: the list has begun anew, and would do so for ever.
        guard !found.contains(minimum) else { break }
        found.append(minimum)
      } else if index == 0 {
        // A range is a list of one entry, whatever follows.
        let range = FrameSizeRange(
          minimum: minimum,
          maximum: FrameSize(width: size.max_width, height: size.max_height),
          step: FrameSize(width: size.step_width, height: size.step_height))
        guard range.maximum.area > 0 else { return .discrete([]) }
        return size.type == V4L2_FRMSIZE_TYPE_CONTINUOUS.rawValue
          ? .continuous(range) : .stepwise(range)
      }
    }
    return .discrete(found)
  }

  /// The frame intervals of a pixel format at a size.
  /// - Throws: `disconnected` or whatever else keeps the driver from answering at all.
  package func frameIntervals(
    of fourcc: FourCC, size: FrameSize
  ) throws(VideoNodeError) -> FrameIntervals {
    var found: [FrameInterval] = []
    for index in 0..<Self.enumerationLimit {
      var entry = v4l2_frmivalenum()
      entry.index = index
      entry.pixel_format = fourcc.rawValue
      entry.width = size.width
      entry.height = size.height
      guard let entry = try listEntry(Request.enumerateFrameIntervals, entry) else { break }
      let interval = ck_frame_interval_read(entry)
      if interval.type == V4L2_FRMIVAL_TYPE_DISCRETE.rawValue {
        guard let value = FrameInterval(interval.min) else { continue }
        guard !found.contains(value) else { break }
        found.append(value)
      } else if index == 0 {
        guard let a = FrameInterval(interval.min), let b = FrameInterval(interval.max) else {
          return .discrete([])
        }
        let range = min(a, b)...max(a, b)
        return interval.type == V4L2_FRMIVAL_TYPE_CONTINUOUS.rawValue
          ? .continuous(range) : .stepwise(range, step: FrameInterval(interval.step))
      }
    }
    return .discrete(found)
  }

  /// One entry of a list, or nil at its end, which is also that of a list that does not exist.
  private func listEntry<Entry>(
    _ request: UInt, _ entry: Entry
  ) throws(VideoNodeError) -> Entry? {
    do {
      return try optionalCall(request, entry)
    } catch .noDevice {
      throw failure(.noDevice, during: .describe)
    } catch .badDescriptor {
      throw failure(.badDescriptor, during: .describe)
    } catch {
      // Firmware that stalls on one entry: what was read so far is true.
      return nil
    }
  }
}
