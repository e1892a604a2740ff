import LinuxSystem

extension MovieError {
  static let notRecording = MovieError(.notRecording, "The output does not record.")

  static func alreadyRecording(_ name: String) -> MovieError {
    MovieError(
      .alreadyRecording,
      "\(name) cannot be recorded: the output records another movie, stop that first.")
  }

  static func noFrames(_ name: String) -> MovieError {
    MovieError(
      .noFrames, "\(name) was not recorded: the camera had sent no frame when it was ended.")
  }

  /// A file that could not be made or written.
  init(_ failure: FileFailure, recordingSucceeded: Bool = false) {
    let code: Code =
      switch failure.errno {
      case .exists: .fileExists
      case .noSpace, .quotaExceeded: .diskFull
      case .accessDenied, .notPermitted, .readOnly: .notPermitted
      default: .cannotWrite
      }
    let sentence =
      code == .fileExists
      ? "\(failure.path) exists already: choose another name, or delete it first."
      : "\(failure.path) cannot be written: \(failure.explanation)"
    self.init(
      code, sentence, errno: failure.errno.rawValue, recordingSucceeded: recordingSucceeded)
  }

  /// The same error of a recording whose file can be played.
  func succeeding(_ recordingSucceeded: Bool) -> MovieError {
    MovieError(code, description, errno: errno, recordingSucceeded: recordingSucceeded)
  }
}
