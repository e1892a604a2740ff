/// How a program ended, as `sysexits.h` numbers it.
public enum ExitStatus: Int32, Sendable {
  /// The command line was wrong.
  case usage = 64
  /// There is no camera, or it does not do what was asked for.
  case unavailable = 69
  /// Something that should not happen.
  case software = 70
  /// The output cannot be created.
  case cannotCreate = 73
  /// Reading or writing failed.
  case inputOutput = 74
  /// The camera is busy, or sent nothing in time: try again.
  case temporaryFailure = 75
  /// This user may not do it.
  case notPermitted = 77
}
