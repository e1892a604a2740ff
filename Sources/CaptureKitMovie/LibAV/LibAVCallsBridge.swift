import CLibAV
import CaptureKitLinux
import Imaging
import Synchronization

/// What all calls of FFmpeg's libraries share: numbers that its headers have as macros, and its
/// words for errors.
enum LibAVCalls {
  /// `AVERROR_EOF`.
  static let endOfFile: Int32 = -541_478_725
  /// `AVERROR(EAGAIN)`.
  static let tryAgain: Int32 = -EAGAIN
  /// `AV_NOPTS_VALUE`.
  static let noTime = Int64.min

  /// Keeps the libraries from writing to the terminal; errors say what happened. What a program has
  /// chosen for itself stays: there is one level for the whole process.
  static let silenced: Void = {
    if av_log_get_level() == AV_LOG_INFO { av_log_set_level(AV_LOG_QUIET) }
  }()

  /// The library's sentence for an error.
  static func sentence(_ code: Int32) -> String {
    var text = [CChar](repeating: 0, count: 128)
    guard av_strerror(code, &text, text.count) == 0 else { return "error \(code)" }
    return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}

extension ColorDescription {
  /// `AVColorRange`.
  var libAVRange: AVColorRange { range == .full ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG }

  /// `AVColorSpace`.
  var libAVMatrix: AVColorSpace {
    switch matrix {
    case .bt601: AVCOL_SPC_SMPTE170M
    case .bt709: AVCOL_SPC_BT709
    case .bt2020: AVCOL_SPC_BT2020_NCL
    }
  }
}
