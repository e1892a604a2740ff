import Foundation
import LinuxSystem

extension MovieError {
  static func isNoFile(_ url: URL) -> MovieError {
    MovieError(
      .cannotRead, "\(url.absoluteString) is no file: movies are read from this machine's files.")
  }

  static func isEmpty(_ path: String) -> MovieError {
    MovieError(
      .notAMovie,
      "\(path) is empty: whoever recorded it was interrupted before the first frame.")
  }

  static func cannotOpen(_ failure: FileFailure) -> MovieError {
    let path = failure.path
    let number = failure.errno.rawValue
    switch failure.errno {
    case .noEntry:
      return MovieError(.cannotRead, "There is no file \(path): check its path.", errno: number)
    case .isFolder:
      return MovieError(
        .cannotRead, "\(path) is a folder: name a movie's file in it.", errno: number)
    case .illegalSeek:
      return MovieError(
        .cannotRead,
        "\(path) is no regular file but a pipe, a socket or a device: store the movie in a file.")
    case .accessDenied, .notPermitted:
      return MovieError(
        .notPermitted,
        "The file \(path) may not be read by this user: change its permissions, or those of the "
          + "folders that it lies in.", errno: number)
    default:
      return MovieError(
        .cannotRead, "The movie cannot be read: \(path): \(failure.explanation)", errno: number)
    }
  }

  static func isNoMovie(_ path: String) -> MovieError {
    MovieError(
      .notAMovie,
      "\(path) is no movie that can be read: Matroska, MP4, QuickTime, AVI and MPEG transport "
        + "streams are, by what is in the file.")
  }

  static func hasNoPictures(_ path: String) -> MovieError {
    MovieError(.notAMovie, "\(path) has no moving pictures in it: choose a movie.")
  }

  static func hasOddSize(_ path: String) -> MovieError {
    MovieError(.corrupt, "The movie \(path) does not say how large its pictures are.")
  }

  static func isTooLarge(_ path: String, _ width: Int, _ height: Int, _ limit: Int) -> MovieError {
    MovieError(
      .tooLarge,
      "The pictures of \(path) have \(width)x\(height) pixels; \(limit) are allowed: raise the "
        + "limits that it is read with.")
  }

  static func cannotDecode(_ path: String, _ codec: String) -> MovieError {
    MovieError(
      .unsupportedCodec,
      "The movie \(path) is compressed with \(codec), which cannot be decoded here: convert it to "
        + "H.264 or JPEG.")
  }

  static func isDamaged(_ path: String) -> MovieError {
    MovieError(
      .corrupt,
      "The movie \(path) is damaged, or its end is missing: what could be read is shown; get the "
        + "file again, or record anew.")
  }

  static func hasNoWholeFrame(_ path: String) -> MovieError {
    MovieError(.corrupt, "The movie \(path) is damaged: none of its frames can be shown there.")
  }

  static func takesTooLong(_ path: String) -> MovieError {
    MovieError(
      .cannotRead,
      "Too much of \(path) would have to be read to find what was asked for: its index is missing; "
        + "copy the movie into a new file with a program that writes one.")
  }

  static func endsBefore(_ time: Duration, _ path: String) -> MovieError {
    time < .zero
      ? MovieError(
        .endOfMovie, "The movie \(path) has no frame before its begin: ask for time 0 or later.")
      : MovieError(
        .endOfMovie,
        "The movie \(path) ends before \(time): ask for a time up to its duration.")
  }

  static func hasNoMemory(_ path: String) -> MovieError {
    MovieError(.tooLarge, "There is no memory to read the movie \(path): close something else.")
  }
}
