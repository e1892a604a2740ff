import Foundation
import Imaging
import LinuxSystem

/// Opens pictures by paths of any bytes.
enum PictureReading {
  /// Calls with an address that Foundation can open.
  static func with(
    _ path: RawPath, _ body: (URL) throws(ImagingError) -> Image
  ) throws(LibraryError) -> Image {
    do throws(ImagingError) {
      if path.string != nil { return try body(path.url) }
    } catch {
      throw LibraryError(error, reading: path)
    }
    let file = try open(path)
    do throws(ImagingError) {
      return try body(URL(filePath: file.pathWhileOpen, directoryHint: .notDirectory))
    } catch {
      throw LibraryError(error, reading: path)
    }
  }
}

extension PictureReading {
  static func open(_ path: RawPath) throws(LibraryError) -> OpenFile {
    do {
      return try OpenFile(reading: path)
    } catch {
      throw LibraryError(error, reading: path)
    }
  }
}

extension LibraryError {
  init(_ error: ImagingError, reading path: RawPath) {
    let number = error.errno.map(Errno.init(rawValue:))
    let code: Code =
      switch (error.code, number) {
      case (.tooLarge, _): .tooLarge
      case (.unreadable, .noEntry?), (.unreadable, .notAFolder?): .noAsset
      case (.unreadable, .accessDenied?), (.unreadable, .notPermitted?): .notPermitted
      case (.unreadable, _): .cannotRead
      default: .unsupportedPicture
      }
    let text = error.description
    let sentence = text.contains(path.shown) ? text : "\(path.shown): \(text)"
    self.init(code, sentence, errno: error.errno)
  }

  init(_ failure: FileFailure, reading path: RawPath) {
    let code: Code =
      switch failure.errno {
      case .noEntry, .notAFolder: .noAsset
      case .accessDenied, .notPermitted: .notPermitted
      default: .cannotRead
      }
    self.init(
      code, "\(path.shown) cannot be read: \(failure.explanation)", errno: failure.errno.rawValue)
  }
}
