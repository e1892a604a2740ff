public import CaptureKitLibrary
public import Foundation
import Imaging
public import TerminalPicture

/// What a key does to the part of a picture that is cut out.
public enum EditGesture: Hashable, Sendable {
  /// Moves the part.
  case pan(TerminalMotion)
  /// Shows less of the picture, larger; or more.
  case zoom(isIn: Bool)
  /// Turns the picture clockwise by a quarter.
  case rotate
  /// A square, or any proportions: of all of the picture then.
  case toggleSquare
  /// The largest part that there is, not turned.
  case reset

  /// The gesture of a key; nil for other keys.
  public init?(_ event: TerminalEvent) {
    switch event {
    case .motion(let motion) where [.up, .down, .left, .right].contains(motion):
      self = .pan(motion)
    case .key(UInt8(ascii: "+")), .key(UInt8(ascii: "=")): self = .zoom(isIn: true)
    case .key(UInt8(ascii: "-")), .key(UInt8(ascii: "_")): self = .zoom(isIn: false)
    case .key(UInt8(ascii: "r")): self = .rotate
    case .key(UInt8(ascii: "a")): self = .toggleSquare
    case .key(UInt8(ascii: "0")): self = .reset
    default: return nil
    }
  }

  /// Changes the part.
  ///
  /// - Parameters:
  ///   - editor: What says the part.
  ///   - view: The size in which it is shown.
  public func apply(to editor: inout ImageEditor, in view: CGSize) {
    switch self {
    case .pan(let motion):
      // Keys move the part, and so the picture beneath it the other way.
      let frame = editor.cropFrame(in: view)
      let (x, y) = (frame.width / 10, frame.height / 10)
      let way: CGPoint =
        switch motion {
        case .left: CGPoint(x: x, y: 0)
        case .right: CGPoint(x: -x, y: 0)
        case .up: CGPoint(x: 0, y: y)
        case .down: CGPoint(x: 0, y: -y)
        default: .zero
        }
      editor.pan(by: way, in: view)
    case .zoom(let isIn):
      editor.zoom(
        by: isIn ? 1.25 : 0.8, at: CGPoint(x: view.width / 2, y: view.height / 2), in: view)
    case .rotate: editor.rotate(.clockwise90)
    case .toggleSquare:
      if editor.aspectRatio == nil {
        editor.aspectRatio = 1
      } else {
        // Any proportions leave the part as it is; who wants them wants what was cut off back.
        editor.aspectRatio = nil
        editor.crop(to: CGRect(origin: .zero, size: editor.wholeSize))
      }
    case .reset: editor.reset()
    }
  }
}

extension ImageEditor {
  var wholeSize: CGSize {
    CGSize(width: Double(imageSize.width), height: Double(imageSize.height))
  }
}
