// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "Examples",
  products: [
    .executable(name: "snap", targets: ["snap"]),
    .executable(name: "firstphoto", targets: ["firstphoto"]),
    .executable(name: "lootlogger", targets: ["lootlogger"]),
    .executable(name: "camera", targets: ["camera"]),
    .executable(name: "selfiegram", targets: ["selfiegram"]),
  ],
  dependencies: [.package(name: "CaptureKitLinux", path: "..")],
  targets: [
    .target(
      name: "ExampleSupport",
      dependencies: [
        .product(name: "CaptureKitLinux", package: "CaptureKitLinux"),
        .product(name: "CaptureKitMocks", package: "CaptureKitLinux"),
        .product(name: "CaptureKitMovie", package: "CaptureKitLinux"),
        .product(name: "ImageCache", package: "CaptureKitLinux"),
        .product(name: "Imaging", package: "CaptureKitLinux"),
        .product(name: "ItemModel", package: "CaptureKitLinux"),
      ]),
    .target(name: "CTerminal"),
    .target(
      name: "TerminalPicture",
      dependencies: ["CTerminal", .product(name: "Imaging", package: "CaptureKitLinux")]),
    .testTarget(
      name: "TerminalPictureTests",
      dependencies: ["TerminalPicture", .product(name: "Imaging", package: "CaptureKitLinux")]),
    .executableTarget(
      name: "snap",
      dependencies: [
        "ExampleSupport", "TerminalPicture",
        .product(name: "CaptureKitLibrary", package: "CaptureKitLinux"),
        .product(name: "CaptureKitLinux", package: "CaptureKitLinux"),
        .product(name: "CaptureKitMovie", package: "CaptureKitLinux"),
        .product(name: "Imaging", package: "CaptureKitLinux"),
      ]),
    .executableTarget(
      name: "firstphoto",
      dependencies: [
        "ExampleSupport",
        .product(name: "CaptureKitLinux", package: "CaptureKitLinux"),
        .product(name: "ImageCache", package: "CaptureKitLinux"),
        .product(name: "Imaging", package: "CaptureKitLinux"),
        .product(name: "ItemModel", package: "CaptureKitLinux"),
      ]),

    // MARK: lootlogger
    .systemLibrary(
      name: "CMicroHTTPD", pkgConfig: "libmicrohttpd", providers: [.apt(["libmicrohttpd-dev"])]),
    .target(name: "WebServer", dependencies: ["CMicroHTTPD"], swiftSettings: settings),
    .testTarget(
      name: "WebServerTests", dependencies: ["WebServer"], swiftSettings: settings),
    .executableTarget(
      name: "lootlogger",
      dependencies: [
        "ExampleSupport", "WebServer",
        .product(name: "CaptureKitLinux", package: "CaptureKitLinux"),
        .product(name: "ImageCache", package: "CaptureKitLinux"),
        .product(name: "Imaging", package: "CaptureKitLinux"),
        .product(name: "ItemModel", package: "CaptureKitLinux"),
        .product(name: "ItemModelSQLite", package: "CaptureKitLinux"),
      ],
      resources: [.copy("Resources")], swiftSettings: settings),
    .testTarget(
      name: "LootLoggerTests",
      dependencies: [
        "ExampleSupport", "WebServer", "lootlogger",
        .product(name: "CaptureKitLinux", package: "CaptureKitLinux"),
        .product(name: "CaptureKitMocks", package: "CaptureKitLinux"),
        .product(name: "ItemModel", package: "CaptureKitLinux"),
      ],
      swiftSettings: settings),

    // MARK: camera
    .target(
      name: "CameraScreens",
      dependencies: [
        "TerminalPicture",
        .product(name: "CaptureKitLibrary", package: "CaptureKitLinux"),
        .product(name: "Imaging", package: "CaptureKitLinux"),
      ]),
    .testTarget(
      name: "CameraScreensTests",
      dependencies: [
        "CameraScreens", "TerminalPicture",
        .product(name: "Imaging", package: "CaptureKitLinux"),
      ]),
    .executableTarget(
      name: "camera",
      dependencies: [
        "CameraScreens", "ExampleSupport", "TerminalPicture",
        .product(name: "CaptureKitLibrary", package: "CaptureKitLinux"),
        .product(name: "CaptureKitLinux", package: "CaptureKitLinux"),
        .product(name: "CaptureKitMovie", package: "CaptureKitLinux"),
        .product(name: "Imaging", package: "CaptureKitLinux"),
      ]),

    // MARK: selfiegram
    .systemLibrary(
      name: "CSDL2", pkgConfig: "sdl2", providers: [.apt(["libsdl2-dev"])]),
    .systemLibrary(
      name: "CPangoCairo", pkgConfig: "pangocairo", providers: [.apt(["libpango1.0-dev"])]),
    .target(
      name: "Window",
      dependencies: [
        "CSDL2", "CPangoCairo", .product(name: "Imaging", package: "CaptureKitLinux"),
      ], swiftSettings: settings),
    .target(
      name: "Selfies",
      dependencies: [
        .product(name: "CaptureKitLibrary", package: "CaptureKitLinux"),
        .product(name: "CaptureKitLinux", package: "CaptureKitLinux"),
        .product(name: "Imaging", package: "CaptureKitLinux"),
      ], swiftSettings: settings),
    .testTarget(
      name: "SelfiesTests",
      dependencies: [
        "Selfies",
        .product(name: "CaptureKitLibrary", package: "CaptureKitLinux"),
        .product(name: "CaptureKitLinux", package: "CaptureKitLinux"),
        .product(name: "CaptureKitMocks", package: "CaptureKitLinux"),
        .product(name: "Imaging", package: "CaptureKitLinux"),
      ], swiftSettings: settings),
    .executableTarget(
      name: "selfiegram",
      dependencies: [
        "ExampleSupport", "Selfies", "Window",
        .product(name: "CaptureKitLibrary", package: "CaptureKitLinux"),
        .product(name: "CaptureKitLinux", package: "CaptureKitLinux"),
        .product(name: "CaptureKitMocks", package: "CaptureKitLinux"),
        .product(name: "Imaging", package: "CaptureKitLinux"),
      ], swiftSettings: settings),
  ]
)
