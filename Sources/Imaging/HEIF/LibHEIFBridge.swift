#if HEIF
  import CLibHEIF
  import CLibYUV
  import Foundation

  /// The only place that hands pointers to libheif to read pictures.
  enum LibHEIFBridge {
    /// What a file says of its first picture.
    struct Header: Sendable {
      /// As shown.
      var size: PixelSize
      /// The largest that a decoder makes, before turning and cutting.
      var codedSize: PixelSize
      var hasAlpha: Bool
      /// A TIFF structure.
      var exif: Data?
      var colorProfile: ColorProfile?
      var metadataByteCount = 0
    }

    /// The most bytes of EXIF that are read.
    private static let exifLimit = 1 << 20

    static func header(of file: RawSpan) throws(ImagingError) -> Header {
      try withPrimaryPicture(of: file) { picture throws(ImagingError) in
        var header = Header(
          size: PixelSize(
            width: Int(heif_image_handle_get_width(picture)),
            height: Int(heif_image_handle_get_height(picture))),
          codedSize: PixelSize(
            width: Int(heif_image_handle_get_ispe_width(picture)),
            height: Int(heif_image_handle_get_ispe_height(picture))),
          hasAlpha: heif_image_handle_has_alpha_channel(picture) != 0)
        guard (1...PixelLayout.maximumSide).contains(header.size.width),
          (1...PixelLayout.maximumSide).contains(header.size.height),
          header.codedSize.width >= 1, header.codedSize.height >= 1
        else { throw ImagingError(.corrupt, "The picture has no size: \(header.size).") }
        readExif(of: picture, into: &header)
        readProfile(of: picture, into: &header)
        return header
      }
    }

    private static func readExif(of picture: OpaquePointer, into header: inout Header) {
      var item: heif_item_id = 0
      guard heif_image_handle_get_list_of_metadata_block_IDs(picture, "Exif", &item, 1) == 1 else {
        return
      }
      let count = heif_image_handle_get_metadata_size(picture, item)
      header.metadataByteCount += count
      guard (8...exifLimit).contains(count) else { return }
      var block = Data(count: count)
      let result = block.withUnsafeMutableBytes {
        heif_image_handle_get_metadata(picture, item, $0.baseAddress)
      }
      // Bytes to the TIFF structure come first, then, as in JPEG, perhaps letters.
      guard result.code == heif_error_Ok, let start = block.bytes.bigEndian32(at: 0),
        start < count - 4
      else { return }
      header.exif = Data(block.dropFirst(4 + start))
    }

    private static func readProfile(of picture: OpaquePointer, into header: inout Header) {
      let count = heif_image_handle_get_raw_color_profile_size(picture)
      header.metadataByteCount += count
      guard (1...ColorProfile.maximumByteCount).contains(count) else {
        header.colorProfile = codedProfile(of: picture)
        return
      }
      var profile = Data(count: count)
      let result = profile.withUnsafeMutableBytes {
        heif_image_handle_get_raw_color_profile(picture, $0.baseAddress)
      }
      if result.code == heif_error_Ok { header.colorProfile = ColorProfile(profile) }
    }

    /// The profile of colours that the file names by numbers (ITU-T H.273); nil for sRGB and where
    /// there is none.
    private static func codedProfile(of picture: OpaquePointer) -> ColorProfile? {
      var numbers: UnsafeMutablePointer<heif_color_profile_nclx>?
      guard heif_image_handle_get_nclx_color_profile(picture, &numbers).code == heif_error_Ok,
        let numbers
      else { return nil }
      defer { heif_nclx_color_profile_free(numbers) }
      return ColorProfile(
        primaries: Int(numbers.pointee.color_primaries.rawValue),
        transfer: Int(numbers.pointee.transfer_characteristics.rawValue))
    }
  }

  // MARK: - Pixels

  extension LibHEIFBridge {
    /// Decodes to BGRA, turned and mirrored as the file asks for.
    static func pixels(of file: RawSpan, _ size: PixelSize) throws(ImagingError) -> PixelBuffer {
      try withPrimaryPicture(of: file) { picture throws(ImagingError) in
        guard let options = heif_decoding_options_alloc() else { throw noMemory }
        defer { heif_decoding_options_free(options) }
        options.pointee.strict_decoding = 1
        options.pointee.convert_hdr_to_8bit = 1
        var decoded: OpaquePointer?
        try check(
          heif_decode_image(
            picture, &decoded, heif_colorspace_RGB, heif_chroma_interleaved_RGBA, options))
        guard let decoded else { throw noMemory }
        defer { heif_image_release(decoded) }
        guard heif_image_get_decoding_warnings(decoded, 0, nil, 0) == 0 else {
          throw ImagingError(.corrupt, "The picture is damaged: some of its pixels make no sense.")
        }
        return try bgra(decoded, size)
      }
    }

    private static func bgra(
      _ decoded: OpaquePointer, _ size: PixelSize
    ) throws(ImagingError) -> PixelBuffer {
      let (width, height) = (Int32(clamping: size.width), Int32(clamping: size.height))
      var stride: Int32 = 0
      guard heif_image_get_width(decoded, heif_channel_interleaved) == width,
        heif_image_get_height(decoded, heif_channel_interleaved) == height,
        let rgba = heif_image_get_plane_readonly(decoded, heif_channel_interleaved, &stride)
      else {
        throw ImagingError(.corrupt, "The picture's pixels are not \(size), as it says.")
      }
      let isMultiplied = heif_image_is_premultiplied_alpha(decoded) != 0
      return try LibYUVBridge.make(.bgra, size, from: PixelPool()) { target, layout in
        let row = Int32(clamping: layout.planes[0].bytesPerRow)
        // What libyuv calls ABGR is RGBA in memory.
        let status = ABGRToARGB(rgba, stride, target, row, width, height)
        guard status == 0, isMultiplied else { return status }
        return ARGBUnattenuate(target, row, target, row, width, height)
      }
    }
  }

  // MARK: - Files and errors

  extension LibHEIFBridge {
    static var noMemory: ImagingError {
      ImagingError(.tooLarge, "There is no memory for a HEIF picture.")
    }

    /// Where some bytes stand in others; nil where they do not.
    static func place(of name: [UInt8], in file: RawSpan, from start: Int = 0) -> Int? {
      guard start <= file.byteCount else { return nil }
      return file.withUnsafeBytes { bytes in
        guard let base = bytes.assumingMemoryBound(to: UInt8.self).baseAddress, !name.isEmpty else {
          return nil
        }
        let found = ck_heif_find(base + start, bytes.count - start, name, name.count)
        return found < 0 ? nil : start + found
      }
    }

    private static func withPrimaryPicture<Result>(
      of file: RawSpan, _ body: (OpaquePointer) throws(ImagingError) -> Result
    ) throws(ImagingError) -> Result {
      try file.withUnsafeBytes { bytes throws(ImagingError) in
        guard let context = heif_context_alloc() else { throw noMemory }
        defer { heif_context_free(context) }
        heif_context_set_maximum_image_size_limit(context, Int32(PixelLayout.maximumSide))
        // The bytes stay where they are until the context has gone.
        try check(
          heif_context_read_from_memory_without_copy(context, bytes.baseAddress, bytes.count, nil))
        var picture: OpaquePointer?
        try check(heif_context_get_primary_image_handle(context, &picture))
        guard let picture else { throw noMemory }
        defer { heif_image_handle_release(picture) }
        return try body(picture)
      }
    }

    /// Throws what libheif says.
    static func check(_ error: heif_error) throws(ImagingError) {
      guard error.code != heif_error_Ok else { return }
      let reason = error.message.map { String(cString: $0) } ?? "unknown reason"
      let sentence = "The HEIF picture cannot be used: \(reason)."
      switch error.code {
      case heif_error_Unsupported_filetype, heif_error_Unsupported_feature,
        heif_error_Plugin_loading_error:
        throw ImagingError(.unsupported, sentence)
      case heif_error_Memory_allocation_error, heif_error_Encoder_plugin_error,
        heif_error_Encoding_error:
        throw ImagingError(.tooLarge, sentence)
      case heif_error_Invalid_input where error.subcode == heif_suberror_End_of_data:
        throw ImagingError(.incomplete, sentence)
      default: throw ImagingError(.corrupt, sentence)
      }
    }
  }
#endif
