#if HEIF
  import CLibHEIF
  import Foundation

  /// The only place that hands pointers to libheif to make pictures.
  enum LibHEIFEncodingBridge {
    struct Options {
      var format: ImageFormat
      /// 0 to 100.
      var quality: Int
      var orientation: ImageOrientation
      /// A TIFF structure, empty for none.
      var exif: [UInt8]
      var profile: Data?
    }

    static func hasEncoder(for format: ImageFormat) -> Bool {
      heif_have_encoder_for_format(compression(of: format)) != 0
    }

    /// Encodes planar 4:2:0.
    static func encode(_ pixels: PixelBuffer, _ options: Options) throws(ImagingError) -> Data {
      guard hasEncoder(for: options.format) else {
        throw ImagingError(
          .unsupported, "libheif has no encoder for \(options.format) on this machine.")
      }
      guard let context = heif_context_alloc() else { throw LibHEIFBridge.noMemory }
      defer { heif_context_free(context) }
      let image = try image(of: pixels)
      defer { heif_image_release(image) }
      try describeColors(of: image, pixels.color, options.profile)
      let picture = try add(image, to: context, options)
      defer { heif_image_handle_release(picture) }
      if !options.exif.isEmpty {
        try LibHEIFBridge.check(
          heif_context_add_exif_metadata(
            context, picture, options.exif, Int32(clamping: options.exif.count)))
      }
      return try file(of: context)
    }

    private static func compression(of format: ImageFormat) -> heif_compression_format {
      format == .avif ? heif_compression_AV1 : heif_compression_HEVC
    }
  }

  // MARK: - The picture

  extension LibHEIFEncodingBridge {
    private static func image(of pixels: PixelBuffer) throws(ImagingError) -> OpaquePointer {
      var image: OpaquePointer?
      try LibHEIFBridge.check(
        heif_image_create(
          Int32(clamping: pixels.width), Int32(clamping: pixels.height), heif_colorspace_YCbCr,
          heif_chroma_420, &image))
      guard let image else { throw LibHEIFBridge.noMemory }
      do throws(ImagingError) {
        let channels = [heif_channel_Y, heif_channel_Cb, heif_channel_Cr]
        for (plane, channel) in channels.enumerated() {
          try copy(pixels, plane: plane, to: channel, of: image)
        }
      } catch {
        heif_image_release(image)
        throw error
      }
      return image
    }

    private static func copy(
      _ pixels: PixelBuffer, plane: Int, to channel: heif_channel, of image: OpaquePointer
    ) throws(ImagingError) {
      let place = pixels.layout.planes[plane]
      let (width, height) = (place.sampleBytesPerRow, place.rowCount)
      try LibHEIFBridge.check(
        heif_image_add_plane(
          image, channel, Int32(clamping: width), Int32(clamping: height), 8))
      var stride: Int32 = 0
      guard let target = heif_image_get_plane(image, channel, &stride), Int(stride) >= width else {
        throw LibHEIFBridge.noMemory
      }
      for row in 0..<height {
        pixels.bytes(ofPlane: plane, row: row).withUnsafeBytes { samples in
          UnsafeMutableRawBufferPointer(start: target + row * Int(stride), count: width)
            .copyMemory(from: samples)
        }
      }
    }

    /// By the numbers of ITU-T H.273.
    private static func describeColors(
      of image: OpaquePointer, _ color: ColorDescription, _ profile: Data?
    ) throws(ImagingError) {
      guard let numbers = heif_nclx_color_profile_alloc() else { throw LibHEIFBridge.noMemory }
      defer { heif_nclx_color_profile_free(numbers) }
      let matrix: UInt16 =
        switch color.matrix {
        case .bt601: 6
        case .bt709: 1
        case .bt2020: 9
        }
      try LibHEIFBridge.check(heif_nclx_color_profile_set_color_primaries(numbers, 1))
      try LibHEIFBridge.check(heif_nclx_color_profile_set_transfer_characteristics(numbers, 13))
      try LibHEIFBridge.check(heif_nclx_color_profile_set_matrix_coefficients(numbers, matrix))
      numbers.pointee.full_range_flag = color.range == .full ? 1 : 0
      try LibHEIFBridge.check(heif_image_set_nclx_color_profile(image, numbers))
      guard let profile else { return }
      try LibHEIFBridge.check(
        profile.withUnsafeBytes {
          heif_image_set_raw_color_profile(image, "prof", $0.baseAddress, $0.count)
        })
    }

    private static func add(
      _ image: OpaquePointer, to context: OpaquePointer, _ options: Options
    ) throws(ImagingError) -> OpaquePointer {
      var encoder: OpaquePointer?
      try LibHEIFBridge.check(
        heif_context_get_encoder_for_format(context, compression(of: options.format), &encoder))
      guard let encoder else { throw LibHEIFBridge.noMemory }
      defer { heif_encoder_release(encoder) }
      try LibHEIFBridge.check(
        heif_encoder_set_lossy_quality(encoder, Int32(clamping: options.quality)))
      // x265's own default takes three times as long for a few per cent of the bytes. Others do not
      // know the word.
      _ = heif_encoder_set_parameter_string(encoder, "preset", "fast")
      guard let native = heif_encoding_options_alloc() else { throw LibHEIFBridge.noMemory }
      defer { heif_encoding_options_free(native) }
      native.pointee.save_two_colr_boxes_when_ICC_and_nclx_available = 1
      native.pointee.image_orientation = heif_orientation(UInt32(options.orientation.rawValue))
      var picture: OpaquePointer?
      try LibHEIFBridge.check(heif_context_encode_image(context, image, encoder, native, &picture))
      guard let picture else { throw LibHEIFBridge.noMemory }
      return picture
    }
  }

  // MARK: - The file

  extension LibHEIFEncodingBridge {
    /// What libheif writes its bytes to.
    private final class Sink {
      var bytes = Data()
    }

    private static func file(of context: OpaquePointer) throws(ImagingError) -> Data {
      let sink = Sink()
      var writer = heif_writer()
      writer.writer_api_version = 1
      writer.write = { _, bytes, count, sink in
        if let bytes, let sink {
          Unmanaged<Sink>.fromOpaque(sink).takeUnretainedValue().bytes.append(
            contentsOf: UnsafeRawBufferPointer(start: bytes, count: count))
        }
        return heif_error(code: heif_error_Ok, subcode: heif_suberror_Unspecified, message: nil)
      }
      try LibHEIFBridge.check(
        heif_context_write(context, &writer, Unmanaged.passUnretained(sink).toOpaque()))
      return withExtendedLifetime(sink) { sink.bytes }
    }
  }
#endif
