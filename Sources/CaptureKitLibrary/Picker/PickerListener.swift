import Dispatch
import Synchronization

/// Whom a picker tells its ends.
final class PickerListener: Sendable {
  // The references are read and set under the lock only; the delegate's calls come on one queue.
  private struct Ends: @unchecked Sendable {
    weak var picker: ImagePickerController?
    weak var delegate: (any ImagePickerControllerDelegate)?
  }

  private let ends = Mutex(Ends())

  /// The picker, which it does not keep; set once.
  func belong(to picker: ImagePickerController) { ends.withLock { $0.picker = picker } }

  var delegate: (any ImagePickerControllerDelegate)? {
    get { ends.withLock { $0 }.delegate }
    set {
      let new = Ends(delegate: newValue)
      ends.withLock { $0.delegate = new.delegate }
    }
  }

  /// Tells the delegate how a presentation has ended, unless the picker or it has gone.
  func tell(
    _ result: Result<ImagePickerController.Outcome, LibraryError>, on queue: DispatchQueue
  ) {
    queue.async { [self] in
      let ends = ends.withLock { $0 }
      guard let picker = ends.picker, let delegate = ends.delegate else { return }
      switch result {
      case .success(.picked(let media)):
        delegate.imagePickerController(picker, didFinishPicking: media)
      case .success(.cancelled): delegate.imagePickerControllerDidCancel(picker)
      case .failure(let error):
        delegate.imagePickerController(picker, didFailWithError: error)
      }
    }
  }
}
