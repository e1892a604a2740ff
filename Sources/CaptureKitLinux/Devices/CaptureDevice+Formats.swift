import Synchronization

extension CaptureDevice {
  /// What is known of the camera's formats, and what was chosen of them.
  struct FormatState {
    var formats: [Format]?
    var choice: FormatChoice?
    var limits = FrameDurationLimits()
    /// What was chosen when a camera last started.
    var settled: (choice: FormatChoice?, limits: FrameDurationLimits) = (nil, FrameDurationLimits())
  }

  /// The formats that the camera offers, in the driver's order; empty where it cannot be asked.
  ///
  /// The first call asks the camera, which may have to be opened for it. Formats that this library
  /// cannot make pictures of are listed too: no preset chooses them, and chosen as ``activeFormat``
  /// they reach video data outputs as they are.
  public var formats: [Format] { (try? loadFormats()) ?? [] }

  /// The formats that the camera offers.
  ///
  /// - Returns: The formats in the driver's order.
  /// - Throws: ``CaptureError`` where the camera cannot be asked: `notPermitted`, `disconnected`.
  public func loadFormats() throws -> [Format] {
    if let formats = formatState.withLock({ $0.formats }) { return formats }
    do {
      let formats = try backend.formats(of: description)
      formatState.withLock { $0.formats = formats }
      return formats
    } catch {
      throw CaptureError.wrapping(error)
    }
  }

  /// The format that was last chosen for this camera; nil where none was.
  ///
  /// The later of two decides, a format chosen for the device or a preset set for the session:
  /// while the format does, the session's preset reads `inputPriority`. A running session takes a
  /// change over when a configuration is next committed; where the camera cannot start in it, the
  /// old choice comes back with the old format. Setting one resets ``activeVideoMinFrameDuration``
  /// and ``activeVideoMaxFrameDuration``.
  ///
  /// As on Apple's systems the device must be locked. What is refused changes nothing and is kept
  /// in ``lastError``; ``setActiveFormat(_:)`` throws it.
  public var activeFormat: Format? {
    get { formatChoice?.format }
    set { keepingRefusal { try setActiveFormat(newValue) } }
  }

  /// Chooses a format.
  ///
  /// - Parameter format: One of ``formats``, or one narrowed to a size; nil leaves the choice to
  ///   the session's preset.
  /// - Throws: ``CaptureError`` with the code `notLocked` or `unsupportedFormat`.
  public func setActiveFormat(_ format: Format?) throws {
    try requireLock()
    let chosen = try format.map { format in
      let offered = try loadFormats().first {
        $0.pixelFormat == format.pixelFormat && $0.offers(format.minimumDimensions)
          && $0.offers(format.maximumDimensions)
      }
      guard let offered else {
        throw CaptureError(
          .unsupportedFormat,
          "\(localizedName) does not offer \(format): choose one of its formats.")
      }
      return format.converted(as: offered.conversion)
    }
    formatState.withLock { state in
      state.choice = chosen.map { FormatChoice(format: $0, turn: .next()) }
      state.limits = FrameDurationLimits()
    }
  }

  /// The camera runs with what was chosen.
  func settleFormat() {
    formatState.withLock { $0.settled = ($0.choice, $0.limits) }
  }

  /// The camera cannot run with what was chosen: what it ran with is the choice again.
  func takeFormatBack() {
    formatState.withLock { ($0.choice, $0.limits) = $0.settled }
  }

  /// Takes over what was chosen for the object of an earlier stay, unless something was chosen for
  /// this one.
  func takeChoices(of earlier: CaptureDevice) {
    let (choice, limits) = earlier.formatState.withLock { ($0.choice, $0.limits) }
    formatState.withLock { state in
      guard state.choice == nil, state.limits.isUnlimited else { return }
      (state.choice, state.limits) = (choice, limits)
      state.settled = (choice, limits)
    }
  }

  var formatChoice: FormatChoice? { formatState.withLock { $0.choice } }
}
