import CaptureKitLibrary
import ExampleSupport
import Foundation
import Imaging

/// What `snap pick` is asked for.
struct PickOptions {
  static let flags: Set<String> = ["--simulated", "--require-camera", "--list", "--front"]
  static let valued: Set<String> = [
    "--from", "--folder", "--number", "--crop", "--aspect", "--zoom", "--turn", "--fit", "-o",
  ]

  let source: ImagePickerController.SourceType
  /// The library's folder; nil for the user's own.
  let folder: URL?
  let onlyLists: Bool
  /// Which of the choices, counted from 1.
  let number: Int
  let isFront: Bool
  /// The part of the picture, in its pixels.
  let crop: CGRect?
  /// The part's proportions.
  let aspect: Double?
  let zoom: Double?
  let turn: Image.Rotation?
  /// The size that it is to be shown in.
  let fit: CGSize?
  /// A file's path, `-` for stdout; nil where nothing is written.
  let output: String?

  var edits: Bool { crop != nil || aspect != nil || zoom != nil || turn != nil }

  init(_ options: Options) throws {
    let sources: [String: ImagePickerController.SourceType] = [
      "camera": .camera, "library": .photoLibrary, "album": .savedPhotosAlbum,
    ]
    source =
      try options.value("--from", expected: "camera, library or album") { sources[$0] } ?? .camera
    folder = options.text("--folder").map { URL(filePath: $0, directoryHint: .isDirectory) }
    onlyLists = options.has("--list")
    number =
      try options.value("--number", expected: "1 for the newest, 2 for the one before, …") {
        Int($0).flatMap { (1...1_000_000).contains($0) ? $0 : nil }
      } ?? 1
    isFront = options.has("--front")
    crop = try options.value("--crop", expected: "WIDTHxHEIGHT+X+Y in pixels", Self.rect)
    aspect = try options.value("--aspect", expected: "WIDTH:HEIGHT, 1:1 for a square", Self.ratio)
    zoom = try options.value("--zoom", expected: "a number from 1") {
      Double($0).flatMap { $0 >= 1 && $0.isFinite ? $0 : nil }
    }
    let turns: [String: Image.Rotation] = [
      "right": .clockwise90, "left": .counterclockwise90, "half": .half,
    ]
    turn = try options.value("--turn", expected: "right, left or half") { turns[$0] }
    fit = try options.value("--fit", expected: "WIDTHxHEIGHT in pixels") {
      Self.rect("\($0)+0+0")?.size
    }
    output = options.text("-o")
    if onlyLists, source == .camera {
      throw Failure(.usage, "--list shows a library: add --from library or --from album.")
    }
    if !onlyLists, output == nil {
      throw Failure(.usage, "Name a file for the picture with -o, or - for stdout.")
    }
  }

  private static func rect(_ text: String) -> CGRect? {
    let parts = text.split(separator: "+", omittingEmptySubsequences: false)
    let numbers = (parts.first.map { $0.split(separator: "x") } ?? []) + parts.dropFirst()
    let values = numbers.compactMap { Int($0) }.map(Double.init)
    guard parts.count == 3, values.count == 4, values[0] > 0, values[1] > 0 else { return nil }
    return CGRect(x: values[2], y: values[3], width: values[0], height: values[1])
  }

  private static func ratio(_ text: String) -> Double? {
    let parts = text.split(separator: ":").compactMap { Double($0) }
    guard parts.count == 2, parts.allSatisfy({ $0 > 0 && $0.isFinite }) else { return nil }
    return parts[0] / parts[1]
  }
}
