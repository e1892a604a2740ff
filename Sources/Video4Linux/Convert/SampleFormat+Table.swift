extension SampleFormat {
  /// All formats that are converted.
  ///
  /// Of libv4lconvert's list these are left out: what is read as it is (`YUYV`, `NV12`, JPEG …);
  /// CPIA1, whose frames build on each other; OV511 and OV518, which another program decodes; and
  /// `905C`, `JL20`, `S401`, `JPGL`, `PJPG`, whose decoders end the process or write beyond their
  /// memory when a frame is damaged.
  static let known: [SampleFormat] = mosaics + greys + rareOrders + oldWebcams

  private static let mosaics: [SampleFormat] = [
    ("BA81", ["BA81", "BG10", "BG12", "BG14", "BYR2", "pBAA", "pBCC", "pBEE"]),
    ("GBRG", ["GBRG", "GB10", "GB12", "GB14", "GB16", "pGAA", "pGCC", "pGEE"]),
    ("GRBG", ["GRBG", "BA10", "BA12", "GR14", "GR16", "pgAA", "pgCC", "pgEE"]),
    ("RGGB", ["RGGB", "RG10", "RG12", "RG14", "RG16", "pRAA", "pRCC", "pREE"]),
  ].flatMap { plain, names in
    let packings: [SamplePacking] = [
      .bytes, .words(bits: 10), .words(bits: 12), .words(bits: 14), .words(bits: 16),
      .groups(samples: 4, bytes: 5), .groups(samples: 2, bytes: 3), .groups(samples: 4, bytes: 7),
    ]
    return zip(names, packings).map { name, packing in
      SampleFormat(FourCC(name), .mosaic(FourCC(plain), packing), to: .rgb24)
    }
  }

  private static let greys: [SampleFormat] =
    [
      ("Y10 ", SamplePacking.words(bits: 10)), ("Y12 ", .words(bits: 12)),
      ("Y14 ", .words(bits: 14)), ("Y16 ", .words(bits: 16)),
      ("Y10P", .groups(samples: 4, bytes: 5)),
      ("Y12P", .groups(samples: 2, bytes: 3)), ("Y14P", .groups(samples: 4, bytes: 7)),
      ("Y10B", .bitStream(bits: 10)),
    ].map { name, packing in SampleFormat(FourCC(name), .grey(packing), to: .grey) } + [
      SampleFormat(
        FourCC(rawValue: FourCC("Y16 ").rawValue | 1 << 31),
        .grey(.words(bits: 16, isBigEndian: true)), to: .grey)
    ]

  private static let rareOrders: [SampleFormat] = [
    ("YVYU", [Plane(bitsPerColumn: 16)], FourCC.yu12),
    ("NV16", [Plane(bitsPerColumn: 8), Plane(bitsPerColumn: 8)], .yu12),
    ("NV61", [Plane(bitsPerColumn: 8), Plane(bitsPerColumn: 8)], .yu12),
    (
      "YV12",
      [
        Plane(bitsPerColumn: 8), Plane(bitsPerColumn: 4, rowDivisor: 2, strideDivisor: 2),
        Plane(bitsPerColumn: 4, rowDivisor: 2, strideDivisor: 2),
      ], .yu12
    ),
    ("RGBP", [Plane(bitsPerColumn: 16)], .rgb24), ("BGR4", [Plane(bitsPerColumn: 32)], .rgb24),
    ("RGB4", [Plane(bitsPerColumn: 32)], .rgb24), ("XR24", [Plane(bitsPerColumn: 32)], .rgb24),
    ("BX24", [Plane(bitsPerColumn: 32)], .rgb24), ("BA24", [Plane(bitsPerColumn: 32)], .rgb24),
  ].map { name, planes, result in SampleFormat(FourCC(name), .planes(planes), to: result) }

  private static let oldWebcams: [SampleFormat] =
    ["S501", "S505", "S508", "CITV", "KONI", "M420", "S920"].map {
      SampleFormat(FourCC($0), .opaque(bitsPerPixel: 12), to: .yu12)
    } + [SampleFormat(FourCC("S680"), .opaque(bitsPerPixel: 8), to: .rgb24)]
    + ["S561", "S910", "P207", "M310", "SONX"].map {
      SampleFormat(FourCC($0), .compressed, to: .rgb24)
    }
}

extension FourCC {
  fileprivate init(_ name: String) {
    self.init(rawValue: name.utf8.prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) })
  }
}
