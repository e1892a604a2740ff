import CaptureKitLinux
import Dispatch
import Foundation

// MARK: - Taking pictures and movies

extension PickerCamera {
  /// Takes a picture, with its light where that is wished for.
  ///
  /// - Parameters:
  ///   - isLit: Whether the torch shines meanwhile, where there is one.
  ///   - completion: Called once.
  func takePicture(
    lit isLit: Bool, completion: @escaping @Sendable (Result<CapturePhoto, any Error>) -> Void
  ) {
    queue.async { [self] in
      let lamp = isLit ? lightUp() : nil
      photos.capturePhoto(with: CapturePhotoSettings()) { [queue] result in
        queue.async { lamp?.goOut() }
        completion(result)
      }
    }
  }

  /// Records a movie, with its light where that is wished for.
  func startMovie(
    to url: URL, limit: Duration, lit isLit: Bool,
    completion: @escaping @Sendable (Result<(any Error)?, any Error>) -> Void
  ) {
    queue.async { [self] in
      let lamp = isLit ? lightUp() : nil
      recorder.start(to: url, limit: limit) { [queue] result in
        queue.async { lamp?.goOut() }
        completion(result)
      }
    }
  }

  /// Asks for a movie's end, after its start.
  func stopMovie() {
    queue.async { [self] in recorder.stop() }
  }

  /// - Returns: nil where the camera has no light that can be used now.
  private func lightUp() -> Lamp? {
    guard let device, device.isTorchAvailable else { return nil }
    let lamp = Lamp(device: device)
    lamp.set(.on)
    return lamp
  }

  /// A light that shines for a while; a camera that does not obey is left alone.
  private struct Lamp: Sendable {
    let device: CaptureDevice

    func goOut() { set(.off) }

    func set(_ mode: CaptureDevice.TorchMode) {
      guard (try? device.lockForConfiguration()) != nil else { return }
      device.torchMode = mode
      device.unlockForConfiguration()
    }
  }
}
