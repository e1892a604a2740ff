import CVideo4Linux
import LinuxSystem

extension VideoNode {
  /// The format that the node has now.
  package func currentFormat() throws(VideoNodeError) -> VideoFormat {
    let answer: ck_image_format
    do {
      answer = try exchange(Request.getFormat, ck_image_format())
    } catch {
      throw failure(error, during: .describe)
    }
    return try checked(answer)
  }

  /// What the driver would make of a wish, without setting it; nil where it cannot say.
  package func tryFormat(_ fourcc: FourCC, size: FrameSize) throws(VideoNodeError) -> VideoFormat? {
    let answer: ck_image_format
    do {
      answer = try exchange(Request.tryFormat, wish(fourcc, size))
    } catch .notSupported {
      return nil
    } catch .invalidArgument {
      return nil
    } catch {
      throw failure(error, during: .format)
    }
    return try checked(answer)
  }

  /// Sets the format and reads back what the driver has made of it: another size, longer rows.
  /// - Parameters:
  ///   - fourcc: The pixel format, which the driver has to take as it is; MJPG and JPEG are the
  ///     same.
  ///   - size: The size that is wished for.
  /// - Returns: What the pictures will be.
  /// - Throws: `unsupportedFormat`, `inUse`, `disconnected`, `invalidAnswer`.
  package func setFormat(_ fourcc: FourCC, size: FrameSize) throws(VideoNodeError) -> VideoFormat {
    var answer: ck_image_format
    do {
      answer = try exchange(Request.setFormat, wish(fourcc, size))
      if Field(rawValue: answer.field).needsWeaving {
        // Some drivers weave the lines themselves, but only for who asks.
        answer = try exchange(Request.setFormat, wish(fourcc, size, .interlaced))
      }
    } catch {
      throw failure(error, during: .format)
    }
    let settled = try checked(answer)
    guard !settled.field.needsWeaving else {
      throw VideoNodeError(
        .unsupportedFormat, path,
        "\(path) sends every second line of a picture apart from the others at \(size), and nothing "
          + "here weaves them: choose another size, or a source that is not interlaced.")
    }
    guard settled.fourcc.isEquivalent(to: fourcc) else {
      throw VideoNodeError(
        .unsupportedFormat, path,
        "\(path) has no pixel format \(fourcc) and offers \(settled.fourcc) in its place: choose "
          + "a format that it lists.")
    }
    return settled
  }

  /// The time from frame to frame; nil where the driver does not know it.
  package func frameInterval() throws(VideoNodeError) -> FrameInterval? {
    try interval(Request.getParameters, ck_streamparm_make(bufferType, v4l2_fract()))
  }

  /// Wishes for a time from frame to frame.
  /// - Returns: What the driver has made of it; nil where it cannot set one and knows none.
  package func setFrameInterval(
    _ interval: FrameInterval
  ) throws(VideoNodeError) -> FrameInterval? {
    let wish = ck_streamparm_make(bufferType, interval.fraction)
    if let settled = try self.interval(Request.setParameters, wish) { return settled }
    return try frameInterval()
  }

  private func interval(
    _ request: UInt, _ parameters: v4l2_streamparm
  ) throws(VideoNodeError) -> FrameInterval? {
    do {
      guard let answer = try optionalCall(request, parameters) else { return nil }
      let capture = ck_streamparm_read(answer)
      // Without this flag the fraction is not filled in.
      guard capture.capability & UInt32(V4L2_CAP_TIMEPERFRAME) != 0 else { return nil }
      return FrameInterval(capture.timeperframe)
    } catch .brokenPipe {
      // Firmware that stalls: the rate stays whatever it is.
      return nil
    } catch {
      throw failure(error, during: .format)
    }
  }

  private func wish(
    _ fourcc: FourCC, _ size: FrameSize, _ field: Field = .any
  ) -> ck_image_format {
    var image = ck_image_format()
    image.width = size.width
    image.height = size.height
    image.pixelformat = fourcc.rawValue
    image.field = field.rawValue
    return image
  }

  private func exchange(
    _ request: UInt, _ image: ck_image_format
  ) throws(Errno) -> ck_image_format {
    var format = unsafe ck_format_make(bufferType, image)
    try unsafe call(request, &format)
    return unsafe ck_format_read(format)
  }

  /// Checks what everybody above relies on.
  private func checked(_ image: ck_image_format) throws(VideoNodeError) -> VideoFormat {
    let limit: UInt32 = 1 << 16
    guard 1...limit ~= image.width, 1...limit ~= image.height else {
      throw .invalidAnswer(path, "pictures of \(image.width)x\(image.height)")
    }
    guard 1...UInt32(VIDEO_MAX_PLANES) ~= image.plane_count else {
      throw .invalidAnswer(path, "pictures in \(image.plane_count) planes")
    }
    return VideoFormat(
      size: FrameSize(width: image.width, height: image.height),
      fourcc: FourCC(rawValue: image.pixelformat),
      planes: (0..<image.plane_count).map { plane in
        VideoFormat.Plane(
          bytesPerLine: ck_image_format_bytesperline(image, plane),
          byteCount: ck_image_format_sizeimage(image, plane))
      },
      field: Field(rawValue: image.field), colorspace: Colorspace(rawValue: image.colorspace),
      ycbcrEncoding: YCbCrEncoding(rawValue: image.ycbcr_enc),
      quantization: Quantization(rawValue: image.quantization))
  }
}
