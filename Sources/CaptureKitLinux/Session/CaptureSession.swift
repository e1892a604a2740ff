import Dispatch
import Foundation
import Synchronization

/// Brings cameras and outputs together and runs them; Apple's `AVCaptureSession`.
///
/// ```swift
/// let session = CaptureSession()
/// try session.add(CaptureDeviceInput(device: camera))
/// try session.add(photos)
/// try await session.start()
/// ```
///
/// All members may be used from any thread. Calls that Apple does not let throw do not throw here
/// either: what is refused changes nothing, posts ``runtimeErrorNotification`` and is kept in
/// ``lastError``. Each has a twin that throws: ``add(_:)-(CaptureDeviceInput)``,
/// ``setSessionPreset(_:)``, ``configure(_:)`` for a batch, ``start()``. Starting and stopping wait
/// for the camera; their async twins do not block the caller's thread.
public final class CaptureSession: Sendable {
  let storage = Mutex(Storage())
  /// Starting, stopping and reconfiguring happen here, one after the other.
  let transitions = SerialQueue(label: "CaptureKitLinux.session")
  /// Notifications are posted here, so that observers may call the session.
  let announcements = DispatchQueue(label: "CaptureKitLinux.session.notifications")

  struct Storage {
    var committed = SessionConfiguration()
    /// What is being changed between begin and commit.
    var pending: SessionConfiguration?
    var depth = 0
    /// Whether it was started and has neither been stopped nor failed.
    var isStarted = false
    var loops: [StreamLoop] = []
    var cameraStates = InputTable<State>()
    /// Why it has ended by itself.
    var failure: CaptureError?
    var observers: [UUID: AsyncStream<State>.Continuation] = [:]
    var pastStatistics = InputTable<CaptureStatistics>()
    /// Of cameras whose inputs were removed.
    var departedStatistics = CaptureStatistics()
    var lastError: CaptureError?
    var recovery = CaptureRecovery()
    var resumesAfterReconnect = false
    var diagnosticHandler: (@Sendable (CaptureDiagnostic) -> Void)?

    var visible: SessionConfiguration { pending ?? committed }
  }

  /// Makes a session without inputs and outputs, with the preset `high`.
  public init() {}

  deinit {
    // Nobody waits: the last reference may go on a camera's own thread.
    let (loops, outputs) = storage.withLock { ($0.loops, $0.committed.outputs) }
    for loop in loops { loop.requestStop() }
    for output in outputs { output.deliveryDidEnd() }
    endStates()
  }
}

// MARK: - Inputs and outputs

extension CaptureSession {
  /// The inputs, in the order in which they were added; those of an open configuration included.
  public var inputs: [CaptureDeviceInput] { storage.withLock { $0.visible.inputs } }
  /// The outputs, in the order in which they were added; those of an open configuration included.
  ///
  /// Preview layers are not among them, as on Apple's systems; their connections are in
  /// ``connections``.
  public var outputs: [any CaptureOutput] {
    storage.withLock { $0.visible.outputs }.filter { !($0 is PreviewOutput) }
  }
  /// The connections between them: each output is connected to each input.
  public var connections: [CaptureConnection] { storage.withLock { $0.visible.connections } }

  /// Whether ``addInput(_:)`` would take an input.
  public func canAddInput(_ input: CaptureDeviceInput) -> Bool {
    let visible = storage.withLock { $0.visible }
    return input.device.isConnected && (try? visible.check(input)) != nil
  }

  /// Whether ``addOutput(_:)`` would take an output.
  public func canAddOutput(_ output: any CaptureOutput) -> Bool {
    let visible = storage.withLock { $0.visible }
    return (try? visible.check(output)) != nil
  }

  /// Adds an input; outside of a batch, a running session starts its camera before this returns.
  public func addInput(_ input: CaptureDeviceInput) {
    recordingErrors { try add(input) }
  }

  /// Adds an output, connected to each input.
  public func addOutput(_ output: any CaptureOutput) {
    recordingErrors { try add(output) }
  }

  /// Adds an input; outside of a batch, a running session starts its camera before this returns.
  ///
  /// - Parameter input: An input whose camera the session does not have yet.
  /// - Throws: ``CaptureError`` with the code `cannotAddInput` or `disconnected`; in a running
  ///   session what starting the camera throws, and the input is not added.
  public func add(_ input: CaptureDeviceInput) throws {
    guard input.device.isConnected else { throw CaptureError.disconnected(input.device) }
    try change(concerning: .camera(of: input), undo: { $0.remove(input) }) { try $0.add(input) }
  }

  /// Adds an output, connected to each input; whatever a camera meets then is the session's error,
  /// not this call's.
  ///
  /// - Parameter output: An output that the session does not have yet.
  /// - Throws: ``CaptureError`` with the code `cannotAddOutput`.
  public func add(_ output: any CaptureOutput) throws {
    try change(concerning: .noCamera, undo: { $0.remove(output) }) { try $0.add(output) }
  }

  /// Takes an input away; outside of a batch, its camera is stopped when this returns.
  public func removeInput(_ input: CaptureDeviceInput) {
    recordingErrors { try change { $0.remove(input) } }
  }

  /// Takes an output away; its waiting photos end with an error.
  public func removeOutput(_ output: any CaptureOutput) {
    recordingErrors { try change { $0.remove(output) } }
  }
}

// MARK: - Presets

extension CaptureSession {
  /// What the session is tuned for; `inputPriority` while a format chosen for a device decides.
  ///
  /// Of a preset and a device's ``CaptureDevice/activeFormat`` the later one decides. A preset that
  /// a camera of the session cannot fulfil is refused.
  public var sessionPreset: Preset {
    get { storage.withLock { $0.visible }.effectivePreset }
    set { recordingErrors { try setSessionPreset(newValue) } }
  }

  /// Whether every camera of the session can fulfil a preset; never so of one that is unknown.
  public func canSetSessionPreset(_ preset: Preset) -> Bool {
    guard PresetTarget(preset) != nil else { return false }
    return inputs.allSatisfy { input in
      FormatNegotiator(input.device, input.device.formats)
        .request(chosen: nil, preset: preset) != nil
    }
  }

  /// Tunes the session.
  ///
  /// - Parameter preset: What to tune it for.
  /// - Throws: ``CaptureError`` with the code `unsupportedFormat` where a camera cannot fulfil it, or
  ///   nobody knows it.
  public func setSessionPreset(_ preset: Preset) throws {
    guard canSetSessionPreset(preset) else {
      throw CaptureError(
        .unsupportedFormat,
        PresetTarget(preset) == nil
          ? "There is no preset “\(preset.rawValue)”: choose one of CaptureSession.Preset's."
          : "A camera of the session cannot fulfil the preset \(preset.rawValue).")
    }
    let before = storage.withLock { $0.visible }
    let undo = { (configuration: inout SessionConfiguration) in
      configuration.takePreset(of: before)
      return SessionConfiguration.Change()
    }
    try change(concerning: .runningCameras, undo: undo) { $0.setPreset(preset) }
  }
}

// MARK: - Batches

extension CaptureSession {
  /// Opens a batch of changes, which takes effect as a whole when the outermost batch is committed.
  public func beginConfiguration() {
    storage.withLock { storage in
      storage.pending = storage.visible
      storage.depth += 1
    }
  }

  /// Ends a batch; the outermost one brings a running session in line with the changes.
  public func commitConfiguration() {
    recordingErrors { try endBatch() }
  }

  /// Makes changes as one batch; where the body throws, none of them is made.
  ///
  /// - Parameter body: Calls the session's throwing methods.
  /// - Returns: What the body returns.
  /// - Throws: What the body throws, or the first error that bringing a running session in line
  ///   met; the session then runs with what it could follow.
  public func configure<Value>(_ body: () throws -> Value) throws -> Value {
    let before = storage.withLock { $0.visible }
    beginConfiguration()
    let value: Value
    do {
      value = try body()
    } catch {
      let undone = storage.withLock { storage in
        defer { storage.pending = before }
        return before.changes(from: storage.visible)
      }
      undone.announce()
      commitConfiguration()
      throw error
    }
    try endBatch()
    return value
  }

  private func endBatch() throws {
    let change = storage.withLock { storage -> SessionConfiguration.Change? in
      guard storage.depth > 0 else { return nil }
      storage.depth -= 1
      guard storage.depth == 0, let pending = storage.pending else { return nil }
      defer { storage.commit(pending) }
      return pending.changes(from: storage.committed)
    }
    guard let change else { return }
    change.announce()
    try bringInLine(concerning: .everyCamera)
  }

  /// Makes one change, in the open batch or as a batch of its own.
  ///
  /// - Parameters:
  ///   - concern: The cameras that must be able to follow it.
  ///   - undo: What takes it back where they cannot.
  ///   - body: The change.
  /// - Throws: What the body throws, or what bringing a running session in line throws.
  private func change(
    concerning concern: Concern = .everyCamera,
    undo: (inout SessionConfiguration) -> SessionConfiguration.Change = { _ in .init() },
    _ body: (inout SessionConfiguration) throws -> SessionConfiguration.Change
  ) throws {
    let (change, isBatched) = try storage.withLock { storage in
      var changed = storage.visible
      var change = try body(&changed)
      guard storage.depth > 0 else {
        storage.commit(changed)
        return (change, false)
      }
      storage.pending = changed
      // A connection that is in use is taken away when the batch is committed.
      change.removed = storage.committed.missing(from: change.removed)
      change.leaving = storage.committed.missing(from: change.leaving)
      return (change, true)
    }
    change.announce()
    guard !isBatched else { return }
    do {
      try bringInLine(concerning: concern)
    } catch {
      storage.withLock { storage in
        // A batch that another thread has opened meanwhile began with the change.
        if var pending = storage.pending {
          _ = undo(&pending)
          storage.pending = pending
        }
        defer { storage.forgetDepartedInputs() }
        return undo(&storage.committed)
      }.announce()
      try? bringInLine(concerning: .everyCamera)
      throw error
    }
  }
}
