import CaptureKitLibrary
import TerminalPicture

// MARK: - Keys

extension CameraMachine {
  static let enter: [TerminalEvent] = [.key(13), .key(10)]

  mutating func take(_ event: TerminalEvent) -> [Action] {
    switch event {
    case .canvas: return []
    case .closed, .stop, .key(3), .key(UInt8(ascii: "q")), .key(UInt8(ascii: "Q")): return quit()
    default: break
    }
    guard !isQuitting, next == nil else { return [] }
    message = nil
    if let result { return keyOfResult(event, result) }
    switch picker {
    case .live, .interrupted, .recording: return keyOfCamera(event)
    case .choosing: return keyOfLibrary(event)
    case .editing: return keyOfEditing(event)
    default: return []
    }
  }

  /// The movie that is being recorded, and what is being saved, is kept first; a second time nothing
  /// is waited for.
  private mutating func quit() -> [Action] {
    guard !isQuitting else { return [.quit] }
    isQuitting = true
    if let result { return result.path == nil ? [] : [.quit] }
    switch picker {
    case .recording: return [.stopMovie]
    case .finishingMovie, .applyingEdits: return []
    default: return [.quit]
    }
  }

  private mutating func go(to source: Source) -> [Action] {
    next = source
    return [.cancel]
  }

  private mutating func keyOfCamera(_ event: TerminalEvent) -> [Action] {
    switch (event, picker) {
    case (.key(UInt8(ascii: " ")), .recording): return [.stopMovie]
    case (.key(UInt8(ascii: " ")), .live): return mode == .photo ? [.takePicture] : [.startMovie]
    case (_, .recording): return []
    case (.key(9), .live):
      mode = mode == .photo ? .video : .photo
      return [.setMode(mode)]
    case (.key(UInt8(ascii: "c")), .live) where equipment.cameraCount > 1:
      return [.switchCamera(side == .front ? .rear : .front)]
    case (.key(UInt8(ascii: "l")), _) where equipment.hasLibrary: return go(to: .library)
    default: return []
    }
  }

  private mutating func keyOfLibrary(_ event: TerminalEvent) -> [Action] {
    switch event {
    case .motion(let motion): grid.move(motion)
    case let key where Self.enter.contains(key):
      if let count = grid.count, count > 0 { return [.choose(grid.selection)] }
    case .escape: if hasCamera { return go(to: .camera) }
    default: break
    }
    return []
  }

  private func keyOfEditing(_ event: TerminalEvent) -> [Action] {
    if let gesture = EditGesture(event) { return [.edit(gesture)] }
    if event == .escape { return [.retake] }
    return Self.enter.contains(event) ? [.useEdit] : []
  }

  private mutating func keyOfResult(_ event: TerminalEvent, _ result: Result) -> [Action] {
    guard result.path != nil else { return [] }
    let command: Playback.Command?
    switch event {
    case .key(UInt8(ascii: "n")), .escape:
      self.result = nil
      return [.play(.hold), .present(source)]
    case .key(UInt8(ascii: " ")): command = self.result?.playback?.toggle()
    case .motion(.left): command = self.result?.playback?.seek(by: .zero - Playback.step)
    case .motion(.right): command = self.result?.playback?.seek(by: Playback.step)
    default: command = nil
    }
    return command.map { [.play($0)] } ?? []
  }
}
