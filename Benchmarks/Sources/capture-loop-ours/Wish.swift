import CaptureKitLinux

/// The format that the command line asks for.
struct Wish {
  let fourCharacterCode: String
  let dimensions: VideoDimensions

  /// - Parameter words: Code, width, height; nil where there are none.
  init?(_ words: ArraySlice<String>) {
    let words = Array(words)
    guard words.count == 3, let width = Int(words[1]), let height = Int(words[2]) else {
      return nil
    }
    fourCharacterCode = words[0]
    dimensions = VideoDimensions(width: width, height: height)
  }

  func apply(to camera: CaptureDevice) throws {
    let formats = try camera.loadFormats()
    let format = formats.lazy.filter { "\($0.pixelFormat)" == fourCharacterCode }
      .compactMap { $0.narrowed(to: dimensions) }.first
    guard let format else { throw Refused(wish: self, formats: formats) }
    try camera.lockForConfiguration()
    defer { camera.unlockForConfiguration() }
    try camera.setActiveFormat(format)
  }
}

/// The camera does not offer what was asked for.
struct Refused: Error, CustomStringConvertible {
  let wish: Wish
  let formats: [CaptureDevice.Format]

  var description: String {
    "no \(wish.fourCharacterCode) \(wish.dimensions): the camera offers"
      + " \(formats.map(\.description).joined(separator: ", "))"
  }
}
