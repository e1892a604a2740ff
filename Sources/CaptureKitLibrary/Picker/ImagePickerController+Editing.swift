import Synchronization

extension ImagePickerController {
  /// What the user makes of the picture; nil but while it is edited.
  ///
  /// Change it with the user's gestures and set it again. Refused but in the state `editing`, and
  /// for an editor of a picture of another size.
  ///
  /// ```swift
  /// picker.editor?.zoom(by: 1.2, at: pointer, in: view)
  /// ```
  public var editor: ImageEditor? {
    get { core.storage.withLock { $0.machine.editor } }
    set {
      guard let newValue else { return }
      core.keepingErrors {
        try core.decide { machine throws(LibraryError) in try machine.edit(newValue) }
      }
    }
  }

  /// What is being edited, with the original picture; nil but while it is edited.
  public var draft: PickedMedia? { core.storage.withLock { $0.machine.draft } }

  /// Picks the picture as it was edited; refused but in the state `editing`.
  ///
  /// What keeps it from being made is told in ``lastError``, and editing goes on.
  public func finishEditing() {
    core.keepingErrors {
      try core.decide { machine throws(LibraryError) in try machine.finishEditing() }
    }
  }

  /// Picks the picture as it was edited; returns when it is picked.
  ///
  /// - Throws: ``LibraryError``: `notPresented`; `notNow` but in the state `editing`; `cannotEdit`
  ///   as of ``ImageEditor/apply(to:oddEdges:)``, and editing goes on.
  public func applyEdits() async throws {
    let done = PickerMachine.Waiter()
    try core.decide { machine throws(LibraryError) in try machine.finishEditing(done) }
    if let error = await done.value { throw error }
  }

  /// Throws the picture away and goes back to the camera, or to the library; refused but in the
  /// state `editing`.
  public func retake() {
    core.keepingErrors {
      try core.decide { machine throws(LibraryError) in try machine.retake() }
    }
  }
}
