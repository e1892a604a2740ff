import CLibAV
import Imaging

/// A decoded picture in the decoder's own memory, which goes back to it with the last reference.
final class LibAVFrameBridge: @unchecked Sendable {  // written once, before anybody else sees it
  private var frame: UnsafeMutablePointer<AVFrame>?

  /// Nothing where there is no memory.
  init?() {
    frame = av_frame_alloc()
    if frame == nil { return nil }
  }

  deinit { av_frame_free(&frame) }

  /// Fills the frame with the decoder's next picture.
  ///
  /// - Returns: The library's answer, below 0 for errors.
  func receive(from decoder: UnsafeMutablePointer<AVCodecContext>) -> Int32 {
    guard let frame else { return ck_av_no_memory }
    return avcodec_receive_frame(decoder, frame)
  }

  /// When the picture is shown, in the stream's units; nil where the file does not say.
  var time: Int64? {
    frame.flatMap {
      $0.pointee.best_effort_timestamp == LibAVCalls.noTime ? nil : $0.pointee.best_effort_timestamp
    }
  }

  var isKeyFrame: Bool { frame.map { ck_av_is_key_frame($0) != 0 } ?? false }

  /// Whether parts of the picture are the decoder's guess.
  var isDamaged: Bool {
    frame.map {
      $0.pointee.decode_error_flags != 0 || $0.pointee.flags & AV_FRAME_FLAG_CORRUPT != 0
    } ?? false
  }

  /// The picture's samples: the decoder's own where this library reads them; 4:2:2 in planes is
  /// packed without loss, and others become BGRA.
  ///
  /// - Returns: nil where there is no memory, or for samples that nobody converts.
  func pixels() -> PixelBuffer? {
    guard let frame else { return nil }
    if let own = leased(color(of: frame)) { return own }
    switch AVPixelFormat(rawValue: frame.pointee.format) {
    case AV_PIX_FMT_YUV422P, AV_PIX_FMT_YUVJ422P:
      return packed()?.leased(color(of: frame)) ?? converted()?.leased(.jpeg)
    default: return converted()?.leased(.jpeg)
    }
  }
}

// MARK: - Samples that are read as they are

extension LibAVFrameBridge {
  private func leased(_ color: ColorDescription) -> PixelBuffer? {
    guard let frame, let format = format(of: frame) else { return nil }
    let data = [frame.pointee.data.0, frame.pointee.data.1, frame.pointee.data.2]
    let rows = [frame.pointee.linesize.0, frame.pointee.linesize.1, frame.pointee.linesize.2]
    guard
      let layout = PixelLayout(
        format: format, width: Int(frame.pointee.width), height: Int(frame.pointee.height),
        bytesPerRow: rows.map(Int.init))
    else { return nil }
    let blocks = layout.planes.indices.compactMap { index -> SharedBytes? in
      guard let start = data[index] else { return nil }
      let bytes = UnsafeRawBufferPointer(start: start, count: layout.byteCount(ofBlock: index))
      return SharedBytes(leasing: bytes, owner: self)
    }
    return PixelBuffer(layout: layout, color: color, blocks: blocks)
  }

  private func format(of frame: UnsafeMutablePointer<AVFrame>) -> PixelFormat? {
    switch AVPixelFormat(rawValue: frame.pointee.format) {
    case AV_PIX_FMT_YUV420P, AV_PIX_FMT_YUVJ420P: .yuv420Multiplanar
    case AV_PIX_FMT_NV12: .nv12Multiplanar
    case AV_PIX_FMT_YUYV422: .yuyv
    case AV_PIX_FMT_UYVY422: .uyvy
    case AV_PIX_FMT_GRAY8: .grey
    case AV_PIX_FMT_RGB24: .rgb24
    case AV_PIX_FMT_BGR24: .bgr24
    case AV_PIX_FMT_BGRA: .bgra32
    default: nil
    }
  }

  private func color(of frame: UnsafeMutablePointer<AVFrame>) -> ColorDescription {
    MovieColor.description(
      matrix: matrix(of: frame), isFull: isFull(frame), height: Int(frame.pointee.height),
      format: format(of: frame))
  }

  private func matrix(of frame: UnsafeMutablePointer<AVFrame>) -> ColorDescription.Matrix? {
    switch frame.pointee.colorspace {
    case AVCOL_SPC_BT709: .bt709
    case AVCOL_SPC_BT2020_NCL, AVCOL_SPC_BT2020_CL: .bt2020
    case AVCOL_SPC_BT470BG, AVCOL_SPC_SMPTE170M, AVCOL_SPC_FCC: .bt601
    default: nil
    }
  }

  private func isFull(_ frame: UnsafeMutablePointer<AVFrame>) -> Bool? {
    switch AVPixelFormat(rawValue: frame.pointee.format) {
    case AV_PIX_FMT_YUVJ420P, AV_PIX_FMT_YUVJ422P, AV_PIX_FMT_YUVJ444P, AV_PIX_FMT_YUVJ440P,
      AV_PIX_FMT_YUVJ411P:
      return true
    default: break
    }
    switch frame.pointee.color_range {
    case AVCOL_RANGE_JPEG: return true
    case AVCOL_RANGE_MPEG: return false
    default: return nil
    }
  }
}

// MARK: - Samples that are converted

extension LibAVFrameBridge {
  /// 4:2:2 in planes as pairs of pixels: the same samples in another order.
  private func packed() -> LibAVFrameBridge? {
    scaled(from: AV_PIX_FMT_YUV422P, to: AV_PIX_FMT_YUYV422, SWS_POINT) { _ in true }
  }

  private func converted() -> LibAVFrameBridge? {
    guard let frame else { return nil }
    let meaning = color(of: frame)
    let isYCbCr = isYCbCr(frame)
    let flags = SWS_BILINEAR | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INP | SWS_FULL_CHR_H_INT
    return scaled(from: AVPixelFormat(rawValue: frame.pointee.format), to: AV_PIX_FMT_BGRA, flags) {
      guard isYCbCr else { return true }
      let matrix =
        meaning.matrix == .bt709
        ? SWS_CS_ITU709
        : meaning.matrix == .bt2020 ? SWS_CS_BT2020 : SWS_CS_ITU601
      return sws_setColorspaceDetails(
        $0, sws_getCoefficients(matrix), meaning.range == .full ? 1 : 0,
        sws_getCoefficients(SWS_CS_DEFAULT), 1, 0, 1 << 16, 1 << 16) >= 0
    }
  }

  private func isYCbCr(_ frame: UnsafeMutablePointer<AVFrame>) -> Bool {
    guard let words = av_pix_fmt_desc_get(AVPixelFormat(rawValue: frame.pointee.format)) else {
      return false
    }
    let other = UInt64(AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL)
    return words.pointee.flags & other == 0 && words.pointee.nb_components >= 3
  }

  private func scaled(
    from source: AVPixelFormat, to target: AVPixelFormat, _ flags: Int32,
    _ prepare: (OpaquePointer) -> Bool
  ) -> LibAVFrameBridge? {
    guard let frame, let result = LibAVFrameBridge(), let made = result.frame else { return nil }
    let (width, height) = (frame.pointee.width, frame.pointee.height)
    made.pointee.format = target.rawValue
    made.pointee.width = width
    made.pointee.height = height
    guard
      let scaler = sws_getContext(
        width, height, source, width, height, target, flags, nil, nil, nil)
    else { return nil }
    defer { sws_freeContext(scaler) }
    guard prepare(scaler), av_frame_get_buffer(made, 0) >= 0 else { return nil }
    let rows = withUnsafeBytes(of: frame.pointee.data) { data in
      withUnsafeBytes(of: frame.pointee.linesize) { strides in
        withUnsafeBytes(of: made.pointee.data) { places in
          withUnsafeBytes(of: made.pointee.linesize) { gaps in
            sws_scale(
              scaler, data.baseAddress?.assumingMemoryBound(to: UnsafePointer<UInt8>?.self),
              strides.baseAddress?.assumingMemoryBound(to: Int32.self), 0, height,
              places.baseAddress?.assumingMemoryBound(to: UnsafeMutablePointer<UInt8>?.self),
              gaps.baseAddress?.assumingMemoryBound(to: Int32.self))
          }
        }
      }
    }
    return rows == height ? result : nil
  }
}
