import CaptureKitLibrary
import CaptureKitLinux
import ExampleSupport
import Foundation
import Imaging

/// `snap pick`: takes or chooses a picture, and crops it.
enum PickCommand {
  static let help = """
    Usage: snap pick [OPTION]…

    Takes a picture or chooses one that exists, crops and turns it, and writes the result.

      -o FILE              the file; - for stdout
      --from SOURCE        camera (default), library, or album: the library without its albums
      --folder FOLDER      a library's folder instead of the user's own
      --list               lists what can be chosen, the newest first, and picks nothing
      --number NUMBER      which of them is chosen; 1, the newest, where it is not said
      --front              the camera that looks at the user
      --crop WIDTHxHEIGHT+X+Y  a part of the picture, in its pixels
      --aspect WIDTH:HEIGHT    the part's proportions: the largest part, in the middle
      --zoom NUMBER        a smaller part, in the middle
      --turn WHICH         right, left or half: how it is turned then
      --fit WIDTHxHEIGHT   writes it as small as a screen of this size needs
      --simulated          the simulated camera instead of a real one
      --require-camera     fails where there is no camera, instead of simulating one
    """

  static func run(_ arguments: [String]) async throws {
    let options = try Options(arguments, flags: PickOptions.flags, valued: PickOptions.valued)
    if options.wantsHelp { return print(help) }
    try options.requireOperands(0)
    let wish = try PickOptions(options)
    // Puts the simulated camera in place where it is to be used.
    if wish.source == .camera { _ = try await CameraWish(options).camera() }
    do {
      try await run(wish)
    } catch let error as LibraryError {
      throw Failure(error)
    }
  }

  private static func run(_ wish: PickOptions) async throws {
    let picker = ImagePickerController()
    picker.sourceType = wish.source
    picker.allowsEditing = wish.edits
    picker.editingAspectRatio = wish.aspect
    // A part is what is asked for, however small.
    picker.editingZoomLimit = 1e6
    if wish.isFront { picker.cameraDevice = .front }
    if let folder = wish.folder { picker.library = try PhotoLibrary(folders: [folder]) }
    try await picker.present()
    defer { if picker.state.isPresented { picker.cancel() } }
    if wish.source != .camera { try await picker.library?.settled() }
    if wish.onlyLists { return try await list(picker) }
    let media = try await pick(wish, with: picker)
    try deliver(media, wish)
  }

  private static func list(_ picker: ImagePickerController) async throws {
    let (page, style) = (500, Date.ISO8601FormatStyle(timeZone: .current))
    var number = 0
    while true {
      let choices = try await picker.choices(range: number..<number + page)
      for asset in choices {
        number += 1
        let size = asset.pixelSize.map { "\($0.width)x\($0.height)" } ?? "-"
        print("\(number)\t\(asset.captureDate.formatted(style))\t\(size)\t\(asset.url.path)")
      }
      if choices.count < page { return }
    }
  }

  private static func pick(
    _ wish: PickOptions, with picker: ImagePickerController
  ) async throws -> PickedMedia {
    let media = Box()
    picker.delegate = media
    if wish.source == .camera {
      try await picker.capturePicture()
    } else {
      let choices = try await picker.choices(range: wish.number - 1..<wish.number)
      guard let choice = choices.first else {
        throw Failure(.unavailable, "There is no picture \(wish.number): see --list.")
      }
      try await picker.select(choice)
    }
    if var editor = picker.editor {
      if let crop = wish.crop { editor.crop(to: crop) }
      if let zoom = wish.zoom { editor.setZoom(zoom) }
      if let turn = wish.turn { editor.rotate(turn) }
      picker.editor = editor
      try await picker.applyEdits()
    }
    for await picked in media.picked { return picked }
    throw Failure(.software, "Nothing was picked.")
  }

  private static func deliver(_ media: PickedMedia, _ wish: PickOptions) throws {
    guard let picked = media.image, let output = wish.output else { return }
    let image = try wish.fit.map { try media.displayImage(fitting: $0) } ?? picked
    guard let data = image.encodedData ?? image.jpegData(compressionQuality: 0.9) else {
      throw Failure(.inputOutput, "The picture cannot be encoded.")
    }
    let how =
      switch media.editingOutcome {
      case .lossless?, .trimmed?: ", edited without loss"
      case .reencoded?: ", edited and encoded again"
      case .unchanged?, nil: ""
      }
    let (size, source) = (image.size, media.asset?.url.path ?? media.metadata?.model)
    let summary = "\(size.width)x\(size.height)\(how), from \(source ?? "a camera")"
    if output == "-" {
      try writeOutput(data.bytes)
      return say("stdout: \(summary)")
    }
    do {
      try data.write(to: URL(filePath: output), options: .atomic)
    } catch {
      throw Failure(.cannotCreate, "\(output) cannot be written: \(error.localizedDescription)")
    }
    print("\(output): \(summary)")
  }

  /// Keeps what was picked.
  private final class Box: ImagePickerControllerDelegate, Sendable {
    let (picked, continuation) = AsyncStream<PickedMedia>.makeStream()

    func imagePickerController(
      _ picker: ImagePickerController, didFinishPicking media: PickedMedia
    ) {
      continuation.yield(media)
    }

    func imagePickerControllerDidCancel(_ picker: ImagePickerController) { continuation.finish() }
  }
}
