import CLibV4LConvert
import CVideo4Linux
import Glibc

/// The system's library of pixel formats, told of a device that does not exist.
///
/// It never sees a descriptor: all that it asks is answered here, in a way that leaves its hidden
/// processing (white balance, gain, flipping by its list of machines) off. It says nothing on
/// stderr then; what it objects to is thrown. The object is used by one thread at a time.
@safe final class LibV4LConverter: @unchecked Sendable {  // lent to one thread at a time
  /// What the library objects to.
  struct Failure: Error {
    let message: String
  }

  private let handle: OpaquePointer
  private var source: v4l2_format
  private var target: v4l2_format

  /// - Parameters:
  ///   - source: A format of the library's list, its rows without a gap if it has rows.
  ///   - bytesPerLine: Of the source.
  ///   - target: RGB24 or YU12.
  ///   - size: Of both.
  /// - Throws: Where there is no memory.
  init(
    from source: FourCC, bytesPerLine: Int, to target: FourCC, size: FrameSize
  ) throws(Failure) {
    // The library's own device structure is the pixel format that it is to find.
    let device = unsafe UnsafeMutableRawPointer(bitPattern: UInt(source.rawValue))
    guard let handle = unsafe v4lconvert_create_with_dev_ops(-1, device, NoDevice.operations) else {
      throw Failure(message: "out of memory")
    }
    unsafe self.handle = unsafe handle
    unsafe self.source = Self.format(source, size, bytesPerLine: bytesPerLine)
    unsafe self.target = Self.format(target, size, bytesPerLine: 0)
  }

  deinit {
    unsafe v4lconvert_destroy(handle)
  }

  /// Converts a picture.
  ///
  /// - Parameters:
  ///   - bytes: The source; some decoders read beyond a damaged frame, so room must follow it.
  ///   - byteCount: How many of them are the frame's.
  ///   - output: As many bytes as the target has.
  /// - Throws: What the library objects to: a damaged frame.
  func convert(
    _ bytes: UnsafeRawBufferPointer, byteCount: Int, into output: UnsafeMutableRawBufferPointer
  ) throws(Failure) {
    // Declared writable, but read only: shortening in place is done before.
    let input = unsafe UnsafeMutableRawPointer(mutating: bytes.baseAddress)?
      .assumingMemoryBound(to: UInt8.self)
    let written = unsafe v4lconvert_convert(
      handle, &source, &target, input, CInt(clamping: min(byteCount, bytes.count)),
      output.baseAddress?.assumingMemoryBound(to: UInt8.self), CInt(clamping: output.count))
    guard written == output.count else {
      let text = unsafe v4lconvert_get_error_message(handle).map { unsafe String(cString: $0) }
      let line = text?.split(separator: "\n").first.map { String($0) }
      throw Failure(message: line ?? "a picture of \(written) bytes")
    }
  }

  private static func format(
    _ fourcc: FourCC, _ size: FrameSize, bytesPerLine: Int
  ) -> v4l2_format {
    var format = unsafe v4l2_format()
    unsafe format.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
    unsafe format.fmt.pix.width = size.width
    unsafe format.fmt.pix.height = size.height
    unsafe format.fmt.pix.pixelformat = fourcc.rawValue
    unsafe format.fmt.pix.bytesperline = UInt32(clamping: bytesPerLine)
    unsafe format.fmt.pix.sizeimage = UInt32(clamping: bytesPerLine * Int(size.height))
    return unsafe format
  }
}

// MARK: - The device that does not exist

/// What the library asks a device, and its answers.
private enum NoDevice {
  /// Held by every converter, and never freed.
  nonisolated(unsafe) static let operations: UnsafePointer<libv4l_dev_ops> = {
    let operations = UnsafeMutablePointer<libv4l_dev_ops>.allocate(capacity: 1)
    unsafe operations.initialize(to: libv4l_dev_ops())
    unsafe operations.pointee.ioctl = { device, _, request, argument in
      let fourcc = UInt32(truncatingIfNeeded: UInt(bitPattern: device))
      if let argument = unsafe argument, unsafe answers(request, argument, fourcc: fourcc) {
        return 0
      }
      errno = EINVAL
      return -1
    }
    return unsafe UnsafePointer(operations)
  }()

  /// Lists the source, and YU12: a device that offers a plain format gets no processing.
  private static func answers(
    _ request: UInt, _ argument: UnsafeMutableRawPointer, fourcc: UInt32
  ) -> Bool {
    guard request == Request.enumerateFormats else { return false }
    let entry = unsafe argument.assumingMemoryBound(to: v4l2_fmtdesc.self)
    let formats = [fourcc, FourCC.yu12.rawValue]
    let index = unsafe Int(entry.pointee.index)
    guard formats.indices.contains(index) else { return false }
    unsafe entry.pointee.pixelformat = formats[index]
    return true
  }
}
