// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("ImmutableWeakCaptures"),
]

/// Plain C at the level that distributions build with, whatever the configuration is.
let cSettings: [CSetting] = [.unsafeFlags(["-O2"])]

/// The whole runtime in the program, as `--static-swift-stdlib` would put it there: what a single
/// photo costs is mostly what starting costs. A program at a fixed address has no pointers to
/// relocate, of which Foundation has seventy thousand; without a table of its own symbols it has
/// none to look through; and libraries that are in it need not be looked for, mapped and bound.
let staticSettings: [SwiftSetting] = settings + [.unsafeFlags(["-static-stdlib"])]
let staticLinkerSettings: [LinkerSetting] = [
  .unsafeFlags(
    ["-static-stdlib", "-Xclang-linker", "-no-pie", "-use-ld=lld"]
      + (["--no-export-dynamic"]
      + ["exif", "jpeg", "png", "png16", "stdc++", "v4lconvert", "xxhash", "yuv", "z"].map {
        "--remap-inputs=*/lib\($0).so=\(Context.packageDirectory)/static-libraries.ld"
      }).flatMap { ["-Xlinker", $0] })
]

let package = Package(
  name: "Benchmarks",
  products: [.executable(name: "bench", targets: ["bench"])],
  dependencies: [.package(name: "CaptureKitLinux", path: "..")],
  targets: [
    .target(
      name: "CBaselines", cSettings: cSettings,
      linkerSettings: [
        .linkedLibrary("sqlite3"), .linkedLibrary("turbojpeg"), .linkedLibrary("xxhash"),
        .linkedLibrary("yuv"),
      ]),
    .target(name: "CAllocations", cSettings: cSettings),
    .executableTarget(
      name: "bench",
      dependencies: [
        "CBaselines", "CAllocations",
        .product(name: "CaptureKitLibrary", package: "CaptureKitLinux"),
        .product(name: "CaptureKitLinux", package: "CaptureKitLinux"),
        .product(name: "CaptureKitMocks", package: "CaptureKitLinux"),
        .product(name: "ImageCache", package: "CaptureKitLinux"),
        .product(name: "ItemModel", package: "CaptureKitLinux"),
        .product(name: "ItemModelSQLite", package: "CaptureKitLinux"),
        .product(name: "Imaging", package: "CaptureKitLinux"),
        // Not linked, but built beside it.
        "process-cost", "capture-loop-c", "capture-loop-ours", "one-photo-ours",
        "stop-latency-ours", "stream-cost", "thumbnail-memory", "movie-ours",
      ],
      swiftSettings: settings),

    // MARK: Programs that `bench` and `lab-syscalls` run
    .executableTarget(name: "process-cost", cSettings: cSettings),
    .executableTarget(name: "capture-loop-c", cSettings: cSettings),
    .executableTarget(name: "stream-cost", cSettings: cSettings),
    .executableTarget(
      name: "thumbnail-memory",
      dependencies: [.product(name: "Imaging", package: "CaptureKitLinux")],
      swiftSettings: settings),
    .executableTarget(
      name: "movie-ours",
      dependencies: [
        .product(name: "CaptureKitLinux", package: "CaptureKitLinux"),
        .product(name: "CaptureKitMocks", package: "CaptureKitLinux"),
        .product(name: "CaptureKitMovie", package: "CaptureKitLinux"),
        .product(name: "Imaging", package: "CaptureKitLinux"),
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "capture-loop-ours",
      dependencies: [
        "CAllocations", .product(name: "CaptureKitLinux", package: "CaptureKitLinux"),
      ],
      swiftSettings: staticSettings, linkerSettings: staticLinkerSettings),
    .executableTarget(
      name: "one-photo-ours",
      dependencies: [.product(name: "CaptureKitLinux", package: "CaptureKitLinux")],
      swiftSettings: staticSettings, linkerSettings: staticLinkerSettings),
    .executableTarget(
      name: "stop-latency-ours",
      dependencies: [.product(name: "CaptureKitLinux", package: "CaptureKitLinux")],
      swiftSettings: staticSettings, linkerSettings: staticLinkerSettings),
  ]
)
