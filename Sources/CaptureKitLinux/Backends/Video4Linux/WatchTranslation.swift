import LinuxSystem
import Video4Linux

extension CaptureBackendEvent {
  init(_ event: NodeWatch.Event, folder: String) {
    switch event {
    case .nodesMayHaveChanged: self = .devicesMayHaveChanged
    case .isDelayed(let errno):
      let advice: String =
        switch errno {
        case .tooManyOpenFiles, .noSpace:
          "raise fs.inotify.max_user_instances and max_user_watches with sysctl, or end programs that "
            + "have many watches."
        default: "look whether the folder is there."
        }
      self = .isDelayed(
        CaptureError(
          .backendFailed,
          "Cameras that come and go in \(folder) are noticed late (\(errno)): \(advice)",
          errno: errno.rawValue))
    }
  }
}
