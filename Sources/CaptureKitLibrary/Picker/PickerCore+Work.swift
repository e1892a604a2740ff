import CaptureKitLinux
import Dispatch
import Foundation
import Imaging
import Synchronization

// MARK: - The camera

extension PickerCore {
  func takePicture(_ shot: Int, of number: Int) {
    let (camera, isLit) = storage.withLock { ($0.camera, $0.settings.flash == .on) }
    camera?.takePicture(lit: isLit) { [weak self] result in
      do {
        let media = PickedMedia(picture: try result.get().image)
        self?.report(of: number) { $0.took(media, shot: shot) }
      } catch {
        self?.report(of: number) { $0.failedToTake(error, shot: shot) }
      }
    }
  }

  func startMovie(to url: URL, of number: Int) {
    let (camera, settings) = storage.withLock { ($0.camera, $0.settings) }
    camera?.startMovie(to: url, limit: settings.maximumDuration, lit: settings.flash == .on) {
      result in
      // Strongly held until then: a movie that nobody wants any more is to be removed.
      try? self.decide { machine throws(LibraryError) in
        machine.movieEnded(at: url, result, of: number)
      }
    }
  }

  func note(_ state: CaptureSession.State, of number: Int) {
    report(of: number) { machine in
      switch state {
      case .interrupted(let reasons):
        machine.camera(is: reasons.min { $0.rawValue < $1.rawValue })
      case .running, .recovering: machine.camera(is: nil)
      case .failed(let error):
        machine.cameraFailed(LibraryError(unavailable: error))
      case .stopped: []
      }
    }
  }
}

// MARK: - Editing

extension PickerCore {
  func apply(_ editor: ImageEditor, to media: PickedMedia, of number: Int) {
    guard let original = media.originalImage else { return }
    DispatchQueue.global().async { [weak self] in
      do throws(LibraryError) {
        let (image, outcome) = try editor.apply(to: original)
        let edited = media.edited(to: image, outcome, cropRect: editor.cropRect)
        self?.report(of: number) { $0.edited(edited) }
      } catch {
        self?.report(of: number) { $0.failedToEdit(error) }
      }
    }
  }
}
