public import Dispatch
import Foundation
import Synchronization

/// Lets a user take a picture or a movie, or choose one that exists, and crop it before use; Apple's
/// `UIImagePickerController`, for any front end.
///
/// It has no views: a window, a web page or a terminal shows what ``state`` says, and calls what the
/// user wants. See <doc:picking-a-picture>.
///
/// ```swift
/// guard ImagePickerController.isSourceTypeAvailable(.camera) else { … }
/// let picker = ImagePickerController()
/// picker.sourceType = .camera
/// picker.allowsEditing = true
/// if case .picked(let media) = try await picker.pick() { use(media.image) }
/// ```
///
/// One core, three forms: a ``delegate`` as on Apple's systems, a closure with
/// ``present(completion:)``, and async with ``pick()``. Each presentation ends exactly once: with
/// something picked, cancelled, or failed; it can be presented again then. Calls that Apple does not
/// let throw do not throw here either: what is refused changes nothing and is kept in ``lastError``.
/// Each has a twin that throws.
///
/// All members may be used from any thread. A picker that nobody holds any more is cancelled; its
/// delegate is not told, since there is no picker to tell of.
public final class ImagePickerController: Sendable {
  let core: PickerCore

  /// Makes a picker of pictures from the user's library, which is not presented yet.
  public convenience init() {
    self.init(makeRecorder: { MovieRecorder() })
  }

  init(makeRecorder: @escaping @Sendable () -> any PickerRecorder) {
    core = PickerCore(makeRecorder: makeRecorder)
    core.listener.belong(to: self)
  }

  deinit { core.letGo() }
}

// MARK: - What it is to be like

extension ImagePickerController {
  /// Where pictures and movies come from; the library until it is set. Takes effect with the next
  /// presentation.
  public var sourceType: SourceType {
    get { core.settings.source }
    set { core.set { $0.source = newValue } }
  }

  /// What may be picked; pictures until it is set. Takes effect with the next presentation.
  public var mediaTypes: [PickerMediaType] {
    get { core.settings.mediaTypes }
    set { core.set { $0.mediaTypes = newValue } }
  }

  /// Whether a picture can be cropped and turned before it is used; false until it is set. Takes
  /// effect with the next presentation.
  ///
  /// A picture that was taken or chosen is shown for ``editor`` then. Movies are not edited.
  public var allowsEditing: Bool {
    get { core.settings.allowsEditing }
    set { core.set { $0.allowsEditing = newValue } }
  }

  /// The proportions of what is cropped, width divided by height; 1, a square as with Apple's
  /// picker, until it is set. nil for any. Takes effect with the next presentation.
  public var editingAspectRatio: Double? {
    get { core.settings.editingAspectRatio }
    set { core.set { $0.editingAspectRatio = newValue } }
  }

  /// The most that a picture can be zoomed in while it is edited, 1 or more; 10 until it is set.
  /// Takes effect with the next presentation.
  public var editingZoomLimit: Double {
    get { core.settings.zoomLimit }
    set { core.set { $0.zoomLimit = newValue } }
  }

  /// The library that is chosen from; nil, the user's own, until it is set or one was opened. Takes
  /// effect with the next presentation.
  public var library: PhotoLibrary? {
    get { core.settings.library }
    set { core.set { $0.library = newValue } }
  }
}

// MARK: - Who is told

extension ImagePickerController {
  /// Is told how each presentation ends; not kept.
  public var delegate: (any ImagePickerControllerDelegate)? {
    get { core.listener.delegate }
    set { core.listener.delegate = newValue }
  }

  /// Where the delegate and the state's handler are called; a serial queue of the picker's own until
  /// it is set. Give a serial one, `DispatchQueue.main` for one: calls come in order then.
  public var callbackQueue: DispatchQueue {
    get { core.storage.withLock { $0.callbackQueue } }
    set { core.storage.withLock { $0.callbackQueue = newValue } }
  }

  /// The last call that was refused, and the last thing that went wrong without ending the
  /// presentation: a picture that could not be taken or read; nil where there was none.
  ///
  /// ``LibraryError``, or what took the picture or the movie: `CaptureError`, `MovieError`.
  public var lastError: (any Error)? { core.storage.withLock { $0.lastError } }

  /// What is to be shown now.
  public var state: State { core.storage.withLock { $0.machine.state } }

  /// What is to be shown now, and each state that follows.
  ///
  /// Any number of tasks may follow it, each from its own moment on. One that is slow misses the
  /// oldest of more than a hundred states. It ends with the picker.
  public var states: AsyncStream<State> {
    let (stream, continuation) = AsyncStream<State>.makeStream(
      bufferingPolicy: .bufferingNewest(128))
    let id = UUID()
    continuation.onTermination = { [weak core] _ in
      core?.storage.withLock { _ = $0.observers.removeValue(forKey: id) }
    }
    core.storage.withLock { storage in
      storage.observers[id] = continuation
      continuation.yield(storage.machine.state)
    }
    return stream
  }

  /// Has a function called with the state now, and with each that follows, on ``callbackQueue``.
  ///
  /// - Parameter handler: The function, in place of the one set before; nil for none.
  public func setStateHandler(_ handler: (@Sendable (State) -> Void)?) {
    let old = core.storage.withLock { storage in
      defer { storage.stateHandler = handler }
      if let handler {
        let state = storage.machine.state
        storage.callbackQueue.async { handler(state) }
      }
      return storage.stateHandler
    }
    // Let go of after unlocking: what it holds may call the picker as it goes.
    withExtendedLifetime(old) {}
  }
}

extension PickerCore {
  var settings: Settings { storage.withLock { $0.settings } }

  func set(_ body: (inout Settings) -> Void) { storage.withLock { body(&$0.settings) } }
}
