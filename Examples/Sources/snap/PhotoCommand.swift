import CaptureKitLinux
import ExampleSupport
import Foundation
import Imaging

/// `snap photo`: takes a photo.
enum PhotoCommand {
  static let help = """
    Usage: snap photo [OPTION]…

    Takes a photo and prints its file's name, size and EXIF orientation.

      -o FILE              the file; - for stdout; by default snap-DATE-TIME.jpg
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
    if let format = try wish.choose(from: camera.loadFormats()) {
      try camera.lockForConfiguration()
      defer { camera.unlockForConfiguration() }
      try camera.setActiveFormat(format)
    }
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
      do {
        try FileHandle.standardOutput.write(contentsOf: photo.fileDataRepresentation() ?? Data())
      } catch {
        throw Failure(
          .inputOutput, "The photo could not be written to stdout: \(error.localizedDescription)")
      }
      say("stdout: \(summary)")
    } else {
      let path = output ?? defaultName()
      try photo.write(to: URL(filePath: path))
      print("\(path): \(summary)")
    }
  }

  private static func defaultName() -> String {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.dateFormat = "yyyy-MM-dd-HHmmss"
    return "snap-\(formatter.string(from: Date())).jpg"
  }
}
