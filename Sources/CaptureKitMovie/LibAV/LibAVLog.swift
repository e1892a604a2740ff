import CLibAV

/// What FFmpeg's libraries say on standard error: nothing. What went wrong is told by errors.
enum LibAVLog {
  /// Holds the libraries' words back from the first call on, unless the program itself has chosen
  /// what they are to say: there is one choice for the whole process.
  static func silence() { silenced }

  private static let silenced: Void = {
    if av_log_get_level() == AV_LOG_INFO { av_log_set_level(AV_LOG_QUIET) }
  }()
}
