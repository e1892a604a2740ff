import CaptureKitLinux
import ExampleSupport
import Foundation
import Imaging

/// `snap photo`: takes a photo.
enum PhotoCommand {
  static let help = """
    Usage: snap photo [OPTION]…

    Takes a photo and prints its file's name, size and EXIF orientation.

      -o FILE              the file; - for stdout; by default snap-DATE-TIME.jpg,
                           numbered where there is one
      --camera ID          an id of `snap devices`, or any node's path
      --size WIDTHxHEIGHT  one of the sizes of `snap formats`
      --format FORMAT      a four-character code of `snap formats`, or mjpeg
      --quality NUMBER     0 to 1; without it a camera's own JPEG is kept
      --orientation HOW    how the camera is held: portrait, portrait-upside-down,
                           landscape-right or landscape-left
      --rotate WHAT        exif: the file says how to turn it (default); pixels: it is turned
      --mirror             flips the picture left to right
      --simulated          the simulated camera instead of a real one
      --require-camera     fails where there is no camera, instead of simulating one
    """

  static func run(_ arguments: [String]) async throws {
    let options = try Options(
      arguments, flags: PhotoOptions.flags, valued: PhotoOptions.valued)
    if options.wantsHelp { return print(help) }
    try options.requireOperands(0)
    let wish = try PhotoOptions(options)
    let camera = try await CameraWish(options).camera()
    let photo = try await take(wish, with: camera)
    try deliver(photo, of: camera, to: wish.output)
  }

  private static func take(
    _ wish: PhotoOptions, with camera: CaptureDevice
  ) async throws -> CapturePhoto {
    try wish.format.apply(to: camera)
    let session = CaptureSession()
    let photos = CapturePhotoOutput()
    try session.add(CaptureDeviceInput(device: camera))
    try session.add(photos)
    if let connection = photos.connection(with: .video) {
      connection.videoOrientation = wish.orientation
      connection.isVideoMirrored = wish.isMirrored
    }
    try await session.start()
    let photo = try await photos.capturePhoto(
      with: CapturePhotoSettings(quality: wish.quality, rotation: wish.rotation))
    await session.stop()
    return photo
  }

  private static func deliver(
    _ photo: CapturePhoto, of camera: CaptureDevice, to output: String?
  ) throws {
    let image = try photo.image
    let summary = """
      \(image.pixelWidth)x\(image.pixelHeight), orientation \(image.orientation.rawValue), \
      from \(camera.localizedName)
      """
    if output == "-" {
      try writeOutput((photo.fileDataRepresentation() ?? Data()).bytes)
      say("stdout: \(summary)")
    } else {
      let path = try write(photo, to: output)
      print("\(path): \(summary)")
    }
  }

  /// Writes the file; without a path it gets a name that nothing has.
  private static func write(_ photo: CapturePhoto, to output: String?) throws -> String {
    if let output {
      try photo.write(to: URL(filePath: output))
      return output
    }
    let date = dateAndTime()
    for number in 1...1000 {
      let name = number == 1 ? "snap-\(date).jpg" : "snap-\(date)-\(number).jpg"
      // The empty file reserves the name, also before another process.
      let descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      if descriptor == -1, errno == EEXIST { continue }
      if descriptor != -1 { close(descriptor) }
      do {
        try photo.write(to: URL(filePath: name))
      } catch {
        if descriptor != -1 { unlink(name) }
        throw error
      }
      return name
    }
    throw Failure(.cannotCreate, "Every name for snap-\(date) is taken: name a file with -o.")
  }

  private static func dateAndTime() -> String {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.dateFormat = "yyyy-MM-dd-HHmmss"
    return formatter.string(from: Date())
  }
}
