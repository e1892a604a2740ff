public import CaptureKitLibrary
public import Foundation

/// A picture of the album and its title, which is its file's name.
public struct Selfie: Identifiable, Hashable, Sendable {
  /// The picture as the library has it.
  public let asset: PhotoLibrary.Asset

  /// Names the selfie until it is renamed.
  public var id: PhotoLibrary.Asset.ID { asset.id }

  /// Its file.
  public var url: URL { asset.url }

  /// Whether somebody has given it a title.
  public var isNamed: Bool { !Self.isOfCamera(url.deletingPathExtension().lastPathComponent) }

  /// What its user called it; the moment when it was taken, until then.
  public var title: String {
    isNamed
      ? url.deletingPathExtension().lastPathComponent
      : asset.captureDate.formatted(date: .abbreviated, time: .shortened)
  }

  /// Whether a name is one that the library gives: `IMG_20261201_093015`, and `-1` where there
  /// were several in that second.
  static func isOfCamera(_ name: String) -> Bool {
    name.wholeMatch(of: /IMG_[0-9]{8}_[0-9]{6}(-[0-9]+)?/) != nil
  }

  /// What a file can be called, of what somebody typed.
  ///
  /// - Parameter title: Any text.
  /// - Returns: nil where nothing is left of it.
  static func fileName(for title: String) -> String? {
    // A slash parts folders, and a dot at the beginning hides the file.
    let characters = title.map { $0 == "/" ? "-" : $0 }.filter {
      !$0.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }
    var name = String(characters).trimmingCharacters(in: .whitespacesAndNewlines)
    name = String(name.drop { $0 == "." || $0 == " " })
    // File systems have room for 255 bytes, the ending and a number among them.
    while name.utf8.count > 240 { name.removeLast() }
    return name.isEmpty ? nil : name
  }
}
