import CaptureKitLinux

extension ImagePickerController {
  /// Presents the picker; returns when the camera runs or the library is open.
  ///
  /// What is wrong is thrown before anything is presented, with a sentence to be shown; the delegate
  /// is not told then. How the presentation ends is told to the ``delegate``. A task that is
  /// cancelled while it waits cancels the presentation.
  ///
  /// - Throws: ``LibraryError``: `sourceUnavailable` where there is no camera, this user may not
  ///   open it, another program has it, or it cannot be started, and where the library has no
  ///   folder; `unsupportedMediaType` where ``mediaTypes`` is empty or has one that nobody knows;
  ///   `alreadyPresented`; `notPresented` where it was cancelled meanwhile.
  public func present() async throws(LibraryError) {
    let presentation = try core.present()
    let opened = await withTaskCancellationHandler {
      await presentation.opened.value
    } onCancel: {
      core.cancel(presentation)
    }
    try opened.get()
  }

  /// Presents the picker, and calls a function with what it comes to.
  ///
  /// - Parameter completion: Called exactly once, on no queue in particular: with what was picked,
  ///   that it was cancelled, or why it failed, a ``LibraryError`` as of ``present()``. That the
  ///   picker was let go of counts as cancelled.
  public func present(completion: @escaping @Sendable (Result<Outcome, any Error>) -> Void) {
    do {
      try core.present().ended.then { completion($0.mapError { $0 }) }
    } catch {
      completion(.failure(error))
    }
  }

  /// Presents the picker and waits until something is picked or it is cancelled.
  ///
  /// - Returns: What was picked, or that it was cancelled; so too where the task is cancelled.
  /// - Throws: ``LibraryError`` as ``present()``, and `sourceUnavailable` where the camera fails
  ///   for good.
  public func pick() async throws(LibraryError) -> Outcome {
    let presentation = try core.present()
    let ended = await withTaskCancellationHandler {
      await presentation.ended.value
    } onCancel: {
      core.cancel(presentation)
    }
    return try ended.get()
  }

  /// Ends the presentation without anything: whatever is under way, a picture, a movie, editing, is
  /// thrown away.
  ///
  /// The camera is closed first, then the end is told. Refused where nothing is presented.
  public func cancel() {
    core.keepingErrors { try core.decide { machine throws(LibraryError) in try machine.cancel() } }
  }
}

extension PickerCore {
  /// Begins a presentation.
  ///
  /// - Throws: ``LibraryError``: `alreadyPresented`, `unsupportedMediaType`.
  func present() throws(LibraryError) -> PickerPresentation {
    let environment = CaptureEnvironment.current
    var made: PickerPresentation?
    try change { storage throws(LibraryError) in
      let setup = try PickerMachine.Setup(storage.settings)
      let actions = try storage.machine.present(setup)
      let presentation = PickerPresentation(number: storage.machine.number)
      storage.presentations[presentation.number] = presentation
      storage.environment = environment
      made = presentation
      return actions
    }
    guard let made else { throw .cancelledBefore }
    return made
  }

  /// Cancels one presentation, and no later one.
  func cancel(_ presentation: PickerPresentation) {
    report(of: presentation.number) { (try? $0.cancel()) ?? [] }
  }
}

extension PickerMachine.Setup {
  fileprivate init(_ settings: PickerCore.Settings) throws(LibraryError) {
    let known = Set<PickerMediaType>.imagesAndMovies
    guard !settings.mediaTypes.isEmpty else {
      throw LibraryError(
        .unsupportedMediaType, "The picker has no media types: set .image, .movie or both.")
    }
    if let unknown = settings.mediaTypes.first(where: { !known.contains($0) }) {
      throw LibraryError(
        .unsupportedMediaType,
        "The picker does not know the media type “\(unknown)”: use .image, .movie or both.")
    }
    self.init(
      source: settings.source, mediaTypes: Set(settings.mediaTypes),
      allowsEditing: settings.allowsEditing, aspectRatio: settings.editingAspectRatio,
      zoomLimit: settings.zoomLimit)
  }
}
