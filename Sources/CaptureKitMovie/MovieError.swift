public import Foundation

/// Why a movie could not be recorded or read.
///
/// Errors of a recording say whether its file is there and can be played all the same:
/// ``recordingSucceeded``, Apple's `AVErrorRecordingSuccessfullyFinishedKey`.
public struct MovieError: Error, Hashable, Sendable {
  /// What a user can act on.
  public let code: Code
  /// The kernel's error number, where a system call failed.
  public let errno: Int32?
  /// Whether the file is whole and can be played although this error ended its recording: so it is
  /// where a limit was reached, the disk is full, or the camera was unplugged. False for movies that
  /// are read.
  public let recordingSucceeded: Bool
  private let sentence: String

  init(
    _ code: Code, _ sentence: String, errno: Int32? = nil, recordingSucceeded: Bool = false
  ) {
    self.code = code
    self.errno = errno
    self.recordingSucceeded = recordingSucceeded
    self.sentence = sentence
  }
}

// MARK: - CustomStringConvertible

extension MovieError: CustomStringConvertible {
  /// One sentence that names the file or the camera and says what to do.
  public var description: String { sentence }
}

// MARK: - LocalizedError

extension MovieError: LocalizedError {
  /// The sentence, which `localizedDescription` shows too.
  public var errorDescription: String? { sentence }
}

// MARK: - Codes

extension MovieError {
  /// What a user can act on. New codes may come in any version: keep a default.
  public struct Code: Hashable, Sendable {
    private enum Value: String {
      case fileExists, unsupportedContainer, unsupportedCodec, notPermitted, cannotWrite, diskFull
      case maximumDurationReached, maximumFileSizeReached, minimumFreeDiskSpaceReached
      case noConnection, alreadyRecording, notRecording, noFrames
      case deviceDisconnected, sessionStopped, formatChanged, cannotEncode
      case notAMovie, corrupt, endOfMovie, cannotRead, tooLarge
    }
    private let value: Value
    private init(_ value: Value) { self.value = value }

    /// There is a file of this name already: choose another, or delete it first.
    public static let fileExists = Code(.fileExists)
    /// The file's name ends in none of `mkv`, `mp4`, `mov` and `avi`, or the container does not
    /// take the codec.
    public static let unsupportedContainer = Code(.unsupportedContainer)
    /// The codec is not there, or not for these frames.
    public static let unsupportedCodec = Code(.unsupportedCodec)
    /// This user may not write, or read, the file.
    public static let notPermitted = Code(.notPermitted)
    /// The file could not be written.
    public static let cannotWrite = Code(.cannotWrite)
    /// The disk has no room left.
    public static let diskFull = Code(.diskFull)
    /// The recording is as long as it may become.
    public static let maximumDurationReached = Code(.maximumDurationReached)
    /// The file is as large as it may become.
    public static let maximumFileSizeReached = Code(.maximumFileSizeReached)
    /// The disk has no more free space than is to be left.
    public static let minimumFreeDiskSpaceReached = Code(.minimumFreeDiskSpaceReached)
    /// The output has no camera that runs.
    public static let noConnection = Code(.noConnection)
    /// The output records already: stop that first.
    public static let alreadyRecording = Code(.alreadyRecording)
    /// The output does not record.
    public static let notRecording = Code(.notRecording)
    /// The recording ended before the camera had sent a frame: there is no file.
    public static let noFrames = Code(.noFrames)
    /// The camera was unplugged.
    public static let deviceDisconnected = Code(.deviceDisconnected)
    /// The session has stopped, or has let go of the output.
    public static let sessionStopped = Code(.sessionStopped)
    /// The camera sends frames of another format now, which the file cannot take.
    public static let formatChanged = Code(.formatChanged)
    /// Frames could not be encoded.
    public static let cannotEncode = Code(.cannotEncode)
    /// The file is no movie that can be read.
    public static let notAMovie = Code(.notAMovie)
    /// The movie is damaged.
    public static let corrupt = Code(.corrupt)
    /// There is no frame at this time.
    public static let endOfMovie = Code(.endOfMovie)
    /// The file could not be read.
    public static let cannotRead = Code(.cannotRead)
    /// The movie's frames have more pixels, or take more memory, than is allowed.
    public static let tooLarge = Code(.tooLarge)
  }
}

extension MovieError.Code: CustomStringConvertible {
  /// The code's name.
  public var description: String { value.rawValue }
}
