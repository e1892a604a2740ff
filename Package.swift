// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("ImmutableWeakCaptures"),
  .enableExperimentalFeature("Lifetimes"),
]

/// The rooms where pointers live: every unmarked unsafe use is a warning there.
let systemSettings: [SwiftSetting] = settings + [.strictMemorySafety()]

/// Tests that compare pictures pixel by pixel: without optimization they take minutes.
let optimizedSettings: [SwiftSetting] = settings + [.unsafeFlags(["-O"])]

let package = Package(
  name: "CaptureKitLinux",
  products: [
    .library(name: "CaptureKitLinux", targets: ["CaptureKitLinux"]),
    .library(name: "Imaging", targets: ["Imaging"]),
    .library(name: "ImageCache", targets: ["ImageCache"]),
    .library(name: "ItemModel", targets: ["ItemModel"]),
    .library(name: "ItemModelSQLite", targets: ["ItemModelSQLite"]),
    .library(name: "CaptureKitMovie", targets: ["CaptureKitMovie"]),
    .library(name: "CaptureKitLibrary", targets: ["CaptureKitLibrary"]),
    .library(name: "CaptureKitMocks", targets: ["CaptureKitMocks"]),
    .library(name: "AVFoundationCompat", targets: ["AVFoundationCompat"]),
  ],
  traits: [
    .default(enabledTraits: ["Movies"]),
    .trait(
      name: "Movies",
      description: "Apple's names for movies and the picker in AVFoundationCompat: libavformat-dev."
    ),
    .trait(name: "HEIF", description: "HEIC and AVIF pictures, by libheif: libheif-dev."),
  ],
  targets: [
    // MARK: C
    .target(name: "CLinuxSystem", path: "Sources/C/CLinuxSystem"),
    .target(
      name: "CChecksum", dependencies: ["CLibXXHash"], path: "Sources/C/CChecksum"),
    .target(name: "CVideo4Linux", path: "Sources/C/CVideo4Linux"),
    .target(
      name: "CJPEG", dependencies: ["CPixels", "CScale"], path: "Sources/C/CJPEG",
      linkerSettings: [.linkedLibrary("jpeg")]),
    .target(
      name: "CPixels", path: "Sources/C/CPixels", linkerSettings: [.linkedLibrary("m")]),
    .target(
      name: "CPNG", dependencies: ["CLibPNG"], path: "Sources/C/CPNG",
      linkerSettings: [.linkedLibrary("png"), .linkedLibrary("z")]),
    .systemLibrary(
      name: "CLibPNG", path: "Sources/C/CLibPNG", pkgConfig: "libpng",
      providers: [.apt(["libpng-dev"])]),
    .target(
      name: "CScale", dependencies: ["CPixels"], path: "Sources/C/CScale",
      linkerSettings: [.linkedLibrary("m")]),
    .systemLibrary(
      name: "CTurboJPEG", path: "Sources/C/CTurboJPEG", pkgConfig: "libturbojpeg",
      providers: [.apt(["libturbojpeg0-dev"])]),
    .systemLibrary(
      name: "CLibYUV", path: "Sources/C/CLibYUV", providers: [.apt(["libyuv-dev"])]),
    .systemLibrary(
      name: "CLibExif", path: "Sources/C/CLibExif", pkgConfig: "libexif",
      providers: [.apt(["libexif-dev"])]),
    .systemLibrary(
      name: "CLibHEIF", path: "Sources/C/CLibHEIF", pkgConfig: "libheif",
      providers: [.apt(["libheif-dev"])]),
    .systemLibrary(
      name: "CLibXXHash", path: "Sources/C/CLibXXHash", pkgConfig: "libxxhash",
      providers: [.apt(["libxxhash-dev"])]),
    .systemLibrary(
      name: "CLibV4LConvert", path: "Sources/C/CLibV4LConvert", pkgConfig: "libv4lconvert",
      providers: [.apt(["libv4l-dev"])]),
    .systemLibrary(
      name: "CSQLite", path: "Sources/C/CSQLite", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(
      name: "CLibAV", path: "Sources/C/CLibAV",
      pkgConfig: "libavformat libavcodec libavutil libswscale",
      providers: [.apt(["libavformat-dev", "libavcodec-dev", "libswscale-dev"])]),

    // MARK: Lower rooms
    .target(name: "LinuxSystem", dependencies: ["CLinuxSystem"], swiftSettings: systemSettings),
    .target(
      name: "Video4Linux", dependencies: ["CLibV4LConvert", "CVideo4Linux", "LinuxSystem"],
      swiftSettings: systemSettings),
    .target(name: "SQLiteAccess", dependencies: ["CSQLite"], swiftSettings: settings),

    // MARK: Libraries
    .target(
      name: "Imaging",
      dependencies: [
        "CJPEG", "CPNG", "CPixels", "CScale", "CLibYUV", "CLibExif",
        .target(name: "CLibHEIF", condition: .when(traits: ["HEIF"])),
      ],
      swiftSettings: settings),
    .target(
      name: "ImageCache", dependencies: ["CChecksum", "Imaging", "LinuxSystem"],
      swiftSettings: settings),
    .target(name: "ItemModel", dependencies: ["LinuxSystem"], swiftSettings: settings),
    .target(
      name: "ItemModelSQLite", dependencies: ["ItemModel", "LinuxSystem", "SQLiteAccess"],
      swiftSettings: settings),
    .target(
      name: "CaptureKitLinux", dependencies: ["Video4Linux", "Imaging", "LinuxSystem"],
      swiftSettings: settings),
    .target(
      name: "CaptureKitMocks", dependencies: ["CaptureKitLinux", "Imaging"],
      swiftSettings: settings),
    .target(
      name: "CaptureKitMovie",
      dependencies: ["CLibAV", "CaptureKitLinux", "Imaging", "LinuxSystem"],
      swiftSettings: settings),
    .target(
      name: "CaptureKitLibrary",
      dependencies: [
        "CaptureKitLinux", "CaptureKitMovie", "ImageCache", "Imaging", "LinuxSystem",
        "SQLiteAccess",
      ],
      swiftSettings: settings),
    .target(
      name: "AVFoundationCompat",
      dependencies: [
        "CaptureKitLinux", "Imaging",
        .target(name: "CaptureKitMovie", condition: .when(traits: ["Movies"])),
        .target(name: "CaptureKitLibrary", condition: .when(traits: ["Movies"])),
      ],
      swiftSettings: settings),

    // MARK: Tests
    .systemLibrary(name: "CMalloc", path: "Tests/CMalloc"),
    .target(
      name: "TestSupport", dependencies: ["CMalloc"], path: "Tests/TestSupport",
      swiftSettings: settings),
    .testTarget(
      name: "LinuxSystemTests", dependencies: ["LinuxSystem", "TestSupport", "trash-worker"],
      swiftSettings: settings),
    .executableTarget(
      name: "trash-worker", dependencies: ["LinuxSystem", "TestSupport"],
      path: "Tests/TrashWorker", swiftSettings: settings),
    .testTarget(
      name: "Video4LinuxTests",
      dependencies: [
        "Video4Linux", "CVideo4Linux", "LinuxSystem", "CaptureKitLinux", "CaptureKitMocks",
        "Imaging",
        "TestSupport",
      ], swiftSettings: settings),
    .testTarget(
      name: "ImagingTests", dependencies: ["Imaging", "CTurboJPEG", "TestSupport"],
      swiftSettings: optimizedSettings),
    .testTarget(
      name: "CaptureKitLinuxTests",
      dependencies: [
        "CaptureKitLinux", "CaptureKitMocks", "Imaging", "LinuxSystem", "TestSupport",
      ], swiftSettings: settings),
    .testTarget(
      name: "CaptureKitMovieTests",
      dependencies: [
        "CaptureKitMovie", "CaptureKitLinux", "CaptureKitMocks", "Imaging", "LinuxSystem",
        "TestSupport", "movie-worker",
      ], swiftSettings: settings),
    .executableTarget(
      name: "movie-worker",
      dependencies: [
        "CaptureKitMovie", "CaptureKitLinux", "CaptureKitMocks", "Imaging", "TestSupport",
      ],
      path: "Tests/MovieWorker", swiftSettings: settings),
    .testTarget(
      name: "CaptureKitLibraryTests",
      dependencies: [
        "CaptureKitLibrary", "CaptureKitMovie", "CaptureKitLinux", "CaptureKitMocks", "ImageCache",
        "Imaging", "LinuxSystem", "SQLiteAccess", "TestSupport", "photo-library-worker",
      ], swiftSettings: settings),
    .executableTarget(
      name: "photo-library-worker", dependencies: ["CaptureKitLibrary", "Imaging", "TestSupport"],
      path: "Tests/PhotoLibraryWorker", swiftSettings: settings),
    .testTarget(
      name: "CaptureKitMocksTests",
      dependencies: ["CaptureKitMocks", "CaptureKitLinux", "Imaging"], swiftSettings: settings),
    .testTarget(
      name: "AVFoundationCompatTests",
      dependencies: ["AVFoundationCompat", "CaptureKitLinux", "CaptureKitMocks", "Imaging"],
      swiftSettings: [.swiftLanguageMode(.v5)]),
    .testTarget(
      name: "ImageCacheTests",
      dependencies: ["ImageCache", "Imaging", "LinuxSystem", "TestSupport", "image-store-worker"],
      swiftSettings: settings),
    .executableTarget(
      name: "image-store-worker", dependencies: ["ImageCache", "Imaging", "TestSupport"],
      path: "Tests/ImageStoreWorker",
      swiftSettings: settings),
    .testTarget(
      name: "ItemModelTests",
      dependencies: ["ItemModel", "LinuxSystem", "TestSupport", "item-store-worker"],
      exclude: ["Golden"], swiftSettings: settings),
    .testTarget(
      name: "ItemModelSQLiteTests",
      dependencies: [
        "ItemModelSQLite", "ItemModel", "LinuxSystem", "SQLiteAccess", "TestSupport",
        "item-store-worker",
      ],
      exclude: ["Golden"], swiftSettings: settings),
    .executableTarget(
      name: "item-store-worker", dependencies: ["ItemModel", "ItemModelSQLite", "TestSupport"],
      path: "Tests/ItemStoreWorker", swiftSettings: settings),
    .testTarget(
      name: "CameraLabTests",
      dependencies: [
        "CaptureKitLinux", "CaptureKitMovie", "Imaging", "TestSupport", "image-store-worker",
      ],
      swiftSettings: settings),
  ]
)
