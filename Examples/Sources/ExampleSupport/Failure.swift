import CaptureKitLinux
import CaptureKitMovie
import Dispatch
import Foundation
import ImageCache
import Imaging
import ItemModel

/// Why a program ends: a status for scripts, a sentence for people.
public struct Failure: Error {
  /// What the program exits with.
  public let status: ExitStatus
  /// One sentence that says what to do.
  public let sentence: String

  /// Names both.
  public init(_ status: ExitStatus, _ sentence: String) {
    self.status = status
    self.sentence = sentence.hasSuffix(".") ? sentence : sentence + "."
  }

  /// Finds the status for a library's error.
  public init(_ error: any Error) {
    switch error {
    case let failure as Failure: self = failure
    case let error as CaptureError: self.init(Self.status(of: error), "\(error)")
    case let error as MovieError: self.init(Self.status(of: error), "\(error)")
    case let error as ImageStoreError:
      self.init(Self.status(ofWriting: error.errno), "\(error)")
    case let error as ItemStoreError:
      self.init(Self.status(ofWriting: error.errno), "\(error)")
    case let error as ImagingError:
      self.init(.inputOutput, "The picture cannot be read: \(error)")
    default: self.init(.software, "\(error)")
    }
  }

  private static func status(of error: CaptureError) -> ExitStatus {
    switch error.code {
    case .noDevice, .notACamera, .disconnected, .noSignal, .unsupportedFormat,
      .unsupportedControl, .invalidControlValue, .controlNotWritable:
      .unavailable
    case .inUse, .usbBandwidth, .timedOut, .corruptFrame, .outOfResources: .temporaryFailure
    case .notPermitted: .notPermitted
    case .streamFailed, .controlFailed: .inputOutput
    case .cannotWrite: status(ofWriting: error.errno)
    default: .software
    }
  }

  private static func status(of error: MovieError) -> ExitStatus {
    switch error.code {
    case .fileExists, .unsupportedContainer, .notPermitted: .cannotCreate
    case .cannotWrite: status(ofWriting: error.errno)
    case .unsupportedCodec, .noConnection, .deviceDisconnected: .unavailable
    case .noFrames, .sessionStopped, .formatChanged: .temporaryFailure
    case .diskFull, .minimumFreeDiskSpaceReached, .cannotRead, .notAMovie, .corrupt, .endOfMovie:
      .inputOutput
    default: .software
    }
  }

  /// A disk that is full or broken is another matter than a file that cannot be there.
  private static func status(ofWriting errno: Int32?) -> ExitStatus {
    switch errno {
    case nil, ENOSPC, EIO, EDQUOT, EFBIG: .inputOutput
    default: .cannotCreate
    }
  }
}

/// Runs a program's body and exits; says on stderr what failed.
///
/// Output that did not arrive is a failure too.
public func runProgram(
  _ name: String, _ body: @escaping @Sendable () async throws -> Void
) -> Never {
  // Before anything asynchronous, which opens descriptors of its own.
  occupyStandardDescriptors()
  Task {
    do {
      try await body()
      try finishOutput()
      exit(0)
    } catch {
      let failure = Failure(error)
      say("\(name): \(failure.sentence)")
      exit(failure.status.rawValue)
    }
  }
  dispatchMain()
}

/// Runs a program's body on the main thread and exits; says on stderr what failed.
///
/// For programs whose main thread waits for a window's events.
public func runProgramOnMainThread(_ name: String, _ body: () throws -> Void) -> Never {
  occupyStandardDescriptors()
  do {
    try body()
    try finishOutput()
    exit(0)
  } catch {
    let failure = Failure(error)
    say("\(name): \(failure.sentence)")
    exit(failure.status.rawValue)
  }
}

/// Writes a line to stderr.
public func say(_ line: String) {
  try? FileHandle.standardError.write(contentsOf: Data("\(line)\n".utf8))
}
