// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// Feeds pictures, movies and lists of items that a fuzzer makes up to `Imaging`, `CaptureKitMovie`
/// and `ItemModel`;
/// `Fuzz/run` builds it with the sanitizers.
let package = Package(
  name: "Fuzz",
  dependencies: [.package(name: "CaptureKitLinux", path: "..")],
  targets: [
    .executableTarget(
      name: "Fuzz",
      dependencies: [
        .product(name: "CaptureKitMovie", package: "CaptureKitLinux"),
        .product(name: "Imaging", package: "CaptureKitLinux"),
        .product(name: "ItemModel", package: "CaptureKitLinux"),
      ],
      // The fuzzer brings the main function.
      swiftSettings: settings + [.unsafeFlags(["-parse-as-library"])])
  ]
)
