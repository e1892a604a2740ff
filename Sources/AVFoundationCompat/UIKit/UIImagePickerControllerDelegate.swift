#if Movies
  public import CaptureKitLibrary
  import Synchronization

  /// Is told what was picked; UIKit's `UIImagePickerControllerDelegate`.
  ///
  /// All calls come on the main queue.
  public protocol UIImagePickerControllerDelegate: AnyObject, SendableMetatype {
    /// A picture or a movie was picked.
    ///
    /// - Parameters:
    ///   - picker: The picker.
    ///   - info: What was picked, by keys.
    func imagePickerController(
      _ picker: UIImagePickerController,
      didFinishPickingMediaWithInfo info: [UIImagePickerController.InfoKey: Any])

    /// The user did not want anything, or nothing can be picked any more: `lastError` of the picker
    /// tells the one from the other.
    ///
    /// - Parameter picker: The picker.
    func imagePickerControllerDidCancel(_ picker: UIImagePickerController)
  }

  extension UIImagePickerControllerDelegate {
    /// Does nothing.
    public func imagePickerController(
      _ picker: UIImagePickerController,
      didFinishPickingMediaWithInfo info: [UIImagePickerController.InfoKey: Any]
    ) {}

    /// Does nothing.
    public func imagePickerControllerDidCancel(_ picker: UIImagePickerController) {}
  }

  /// What a picker's delegate has to be besides; UIKit's, without any member here.
  public protocol UINavigationControllerDelegate: AnyObject {}

  /// Turns what a picker tells into UIKit's calls.
  final class UIImagePickerDelegateBridge: ImagePickerControllerDelegate, Sendable {
    typealias Delegate = any UIImagePickerControllerDelegate & UINavigationControllerDelegate

    // The references are read and set under the lock only; calls come on the main queue.
    private struct Ends: @unchecked Sendable {
      weak var picker: UIImagePickerController?
      weak var delegate: Delegate?
    }

    private let ends = Mutex(Ends())

    func belong(to picker: UIImagePickerController) { ends.withLock { $0.picker = picker } }

    var delegate: Delegate? {
      get { ends.withLock { $0 }.delegate }
      set {
        let new = Ends(delegate: newValue)
        ends.withLock { $0.delegate = new.delegate }
      }
    }

    func imagePickerController(
      _ picker: ImagePickerController,
      didFinishPickingMediaWithInfo info: [ImagePickerController.InfoKey: any Sendable]
    ) {
      let ends = ends.withLock { $0 }
      guard let picker = ends.picker else { return }
      ends.delegate?.imagePickerController(picker, didFinishPickingMediaWithInfo: info)
    }

    func imagePickerControllerDidCancel(_ picker: ImagePickerController) { tellCancelled() }

    func tellCancelled() {
      let ends = ends.withLock { $0 }
      guard let picker = ends.picker else { return }
      ends.delegate?.imagePickerControllerDidCancel(picker)
    }
  }
#endif
