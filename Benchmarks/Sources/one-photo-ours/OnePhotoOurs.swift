import CaptureKitLinux
import Dispatch
import Foundation
import Synchronization

/// Takes one photo and ends.
///
///     one-photo-ours DEVICE FILE
///
/// In the blocking form, which suits a program that has nothing else to do: no task, no executor, and
/// the camera is started and stopped on the program's own thread.
@main
enum OnePhotoOurs {
  static func main() {
    let words = CommandLine.arguments
    guard words.count == 3 else { exit(64) }
    do {
      let session = CaptureSession()
      let photos = CapturePhotoOutput()
      photos.settlingTime = .zero
      try session.add(CaptureDeviceInput(device: CaptureDevice(path: words[1])))
      try session.add(photos)
      session.startRunning()
      if let error = session.lastError { throw error }
      let photo = try photo(of: photos).get()
      session.stopRunning()
      try write(photo, to: words[2])
    } catch {
      FileHandle.standardError.write(Data("one-photo-ours: \(error)\n".utf8))
      exit(1)
    }
  }

  /// As GStreamer's filesink does: to a plain file, which nobody waits for to be on the disk.
  private static func write(_ photo: CapturePhoto, to path: String) throws {
    guard let data = photo.fileDataRepresentation(), let file = fopen(path, "w") else {
      throw CaptureError(.cannotWrite)
    }
    let count = data.withUnsafeBytes { fwrite($0.baseAddress, 1, $0.count, file) }
    guard fclose(file) == 0, count == data.count else { throw CaptureError(.cannotWrite) }
  }

  private static func photo(of photos: CapturePhotoOutput) -> Result<CapturePhoto, any Error> {
    let answer = Answer()
    photos.capturePhoto(with: CapturePhotoSettings()) { answer.set($0) }
    return answer.wait()
  }
}

/// A photo that is waited for.
private final class Answer: Sendable {
  private let result = Mutex<Result<CapturePhoto, any Error>?>(nil)
  private let isThere = DispatchSemaphore(value: 0)

  func set(_ photo: Result<CapturePhoto, any Error>) {
    result.withLock { $0 = photo }
    isThere.signal()
  }

  func wait() -> Result<CapturePhoto, any Error> {
    isThere.wait()
    return result.withLock { $0 } ?? .failure(CaptureError(.stopped))
  }
}
