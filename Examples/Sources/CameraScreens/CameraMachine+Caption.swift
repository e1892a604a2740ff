public import CaptureKitLibrary
import Foundation
public import TerminalPicture

extension CameraMachine {
  /// What the screen's picture is made of.
  public enum Picture: Hashable, Sendable {
    /// Nothing: black.
    case nothing
    /// What the camera sees.
    case preview
    /// The library's page.
    case grid(LibraryGrid)
    /// The picture, with the part that is cut out.
    case editing
    /// What was picked; a movie's frames come by themselves.
    case result(isMovie: Bool)
  }

  /// The picture that is to be shown.
  public var picture: Picture {
    if let result { return .result(isMovie: result.playback != nil) }
    return switch picker {
    case .live, .interrupted, .switchingCamera, .capturing, .recording, .finishingMovie: .preview
    case .choosing, .opening: .grid(grid)
    case .editing, .applyingEdits: .editing
    case .idle, .presenting, .ended: .nothing
    }
  }

  /// The lines below the picture: how it is going, and the keys.
  ///
  /// - Parameters:
  ///   - selected: What the marked picture of the library is called.
  ///   - editor: The part that is cut out.
  /// - Returns: Two lines.
  public func caption(selected: String? = nil, editor: ImageEditor? = nil) -> TerminalCaption {
    let kind = equipment.isSimulated ? "[simulated] " : ""
    let overflow: TerminalCaption.Overflow = message == nil ? .cutInTheMiddle : .wrap
    return TerminalCaption([
      .init(
        "\(kind)\(message ?? status(selected, editor))", isHighlighted: true, overflow: overflow),
      .init(keys),
    ])
  }

  private func status(_ selected: String?, _ editor: ImageEditor?) -> String {
    if let result { return status(of: result) }
    switch picker {
    case .live: return mode == .photo ? "Photo" : "Video"
    case .interrupted(let reason):
      return "The camera sends nothing (\(reason)): the picture comes back by itself."
    case .switchingCamera: return "The other camera is being started."
    case .capturing: return "The photo is being taken."
    case .recording:
      let (duration, bytes) = recording ?? (.zero, 0)
      return "● \(Self.text(duration)) · \(Self.text(byteCount: bytes))"
    case .finishingMovie: return "The movie is being finished."
    case .choosing:
      guard let count = grid.count else { return "The library is being read." }
      guard count > 0 else { return "The library has no pictures and no movies." }
      return "\(grid.selection + 1) of \(count)" + (selected.map { " · \($0)" } ?? "")
    case .opening: return "The picture is being read."
    case .editing:
      guard let editor else { return "" }
      let zoom = String(format: "%.1f", editor.zoom)
      return "\(editor.outputSize) of \(editor.imageSize) · zoom \(zoom)"
        + (editor.aspectRatio == nil ? "" : " · square")
    case .applyingEdits: return "The picture is being cut out."
    case .idle, .presenting, .ended:
      return source == .camera ? "The camera is being started." : "The library is being opened."
    }
  }

  private func status(of result: Result) -> String {
    guard let path = result.path else { return "It is being saved." }
    guard let playback = result.playback else { return path }
    let sign = playback.isPlaying ? "▶" : "‖"
    return "\(sign) \(Self.text(playback.position)) / \(Self.text(playback.duration)) · \(path)"
  }

  private var keys: String {
    if let result {
      guard result.path != nil else { return "q quit" }
      let movie = result.playback == nil ? [] : ["space pause", "←→ seek"]
      return (movie + ["n another", "q quit"]).joined(separator: "  ")
    }
    var keys: [String?]
    switch picker {
    case .recording: keys = ["space stop"]
    case .choosing, .opening:
      keys = ["arrows PgUp PgDn move", "enter choose", hasCamera ? "esc camera" : nil]
    case .editing, .applyingEdits:
      keys = ["arrows pan", "+/- zoom", "r rotate", "a square", "0 reset", "enter use", "esc back"]
    case .idle, .presenting, .ended: keys = []
    default:
      keys = [
        mode == .photo ? "space photo" : "space start", mode == .photo ? "tab video" : "tab photo",
        equipment.cameraCount > 1 ? "c camera" : nil, equipment.hasLibrary ? "l library" : nil,
      ]
    }
    keys.append("q quit")
    return keys.compactMap(\.self).joined(separator: "  ")
  }

  /// Minutes and seconds.
  static func text(_ duration: Duration) -> String {
    let seconds = max(0, duration.components.seconds)
    return String(format: "%d:%02d", Int(seconds / 60), Int(seconds % 60))
  }

  static func text(byteCount: Int64) -> String {
    byteCount < 1_000_000
      ? "\(byteCount / 1000) kB" : String(format: "%.1f MB", Double(byteCount) / 1e6)
  }
}
