import CaptureKitLinux
import Foundation

/// Takes one photo and ends.
///
///     one-photo-ours DEVICE FILE
@main
enum OnePhotoOurs {
  static func main() async {
    let words = CommandLine.arguments
    guard words.count == 3 else { exit(64) }
    do {
      let session = CaptureSession()
      let photos = CapturePhotoOutput()
      photos.settlingTime = .zero
      try session.add(CaptureDeviceInput(device: CaptureDevice(path: words[1])))
      try session.add(photos)
      try await session.start()
      let photo = try await photos.capturePhoto(with: CapturePhotoSettings())
      // First, as any program would that takes a single photo: the fake device is never idle.
      await session.stop()
      try photo.write(to: URL(filePath: words[2]))
    } catch {
      FileHandle.standardError.write(Data("one-photo-ours: \(error)\n".utf8))
      exit(1)
    }
  }
}
