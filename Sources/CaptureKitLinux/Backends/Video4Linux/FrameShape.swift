import Imaging
import Video4Linux

/// What all frames of a running stream have in common; worked out once, when it starts.
struct FrameShape {
  let format: CaptureFormat
  let layout: PixelLayout?
  let color: ColorDescription
  /// What makes pictures of the frames where they cannot be read as they are.
  let converter: FrameConverter?
  /// With fewer buffers than this the driver is about to miss pictures.
  let fewestQueued: Int

  init(_ settings: StreamSettings) {
    let image = settings.format
    let pixelFormat = PixelFormat(rawValue: image.fourcc.rawValue)
    format = CaptureFormat(
      pixelFormat: pixelFormat,
      dimensions: VideoDimensions(width: Int(image.size.width), height: Int(image.size.height)),
      frameDuration: settings.interval.flatMap(FrameDuration.init))
    let strides = image.planes.map { Int($0.bytesPerLine) }
    // Zero is what drivers say who do not know: rows then follow each other without a gap.
    layout = PixelLayout(
      format: pixelFormat, width: Int(image.size.width), height: Int(image.size.height),
      bytesPerRow: strides.contains(0) ? nil : strides)
    converter = FrameConverter(image)
    fewestQueued = max(1, min(2, settings.bufferCount - 1))
    color = pixelFormat.isJPEG ? .jpeg : image.colorDescription(of: pixelFormat)
  }

  /// A frame in the driver's own memory; nothing is copied.
  func frame(_ leased: LeasedFrame) -> CapturedFrame {
    CapturedFrame(
      pixelFormat: format.pixelFormat, dimensions: format.dimensions, layout: layout,
      color: color, sequence: UInt64(leased.sequence), timestamp: leased.frameTimestamp,
      duration: format.frameDuration,
      dropReason: leased.hasError || isShort(leased) ? .corrupt : nil,
      storage: FrameStorage(leasing: leased, converter: converter))
  }

  private func isShort(_ leased: LeasedFrame) -> Bool {
    guard let layout else {
      return leased.byteCount(ofPlane: 0) < (converter?.leastByteCount ?? 1)
    }
    return (0..<layout.blockCount).contains {
      leased.byteCount(ofPlane: $0) < layout.byteCount(ofBlock: $0)
    }
  }
}

extension LeasedFrame {
  fileprivate var frameTimestamp: FrameTimestamp {
    guard timestamp.clock == .monotonic, let nanoseconds = timestamp.nanoseconds else {
      return FrameTimestamp(HostTime(nanoseconds: Int64(clamping: dequeuedAt)), .pickup)
    }
    return FrameTimestamp(
      HostTime(nanoseconds: Int64(clamping: nanoseconds)),
      timestamp.source == .startOfExposure ? .startOfExposure : .endOfFrame)
  }
}

extension VideoFormat {
  /// What the samples stand for, with the kernel's rules for what a driver leaves open
  /// (`V4L2_MAP_YCBCR_ENC_DEFAULT`, `V4L2_MAP_QUANTIZATION_DEFAULT`).
  fileprivate func colorDescription(of pixelFormat: PixelFormat) -> ColorDescription {
    let matrix: ColorDescription.Matrix =
      switch (ycbcrEncoding, colorspace) {
      case (.rec709, _), (.xv709, _), (.unspecified, .rec709), (.unspecified, .dciP3): .bt709
      // Its weights, 0.212 and 0.087, are nearest to these.
      case (.smpte240m, _), (.unspecified, .smpte240m): .bt709
      case (.bt2020, _), (.bt2020ConstantLuminance, _), (.unspecified, .bt2020): .bt2020
      default: .bt601
      }
    let range: ColorDescription.Range =
      switch quantization {
      case .fullRange: .full
      case .limitedRange: .limited
      default: colorspace == .jpeg ? .full : ColorDescription.assumed(for: pixelFormat).range
      }
    return ColorDescription(matrix: matrix, range: range)
  }
}
