import LinuxSystem

/// What a node was asked to do when it failed.
enum VideoNodeTask {
  case open, describe, format, buffers, streamOn, stream, watchControls
}

extension VideoNodeError {
  /// Finds what an error number means for somebody who did `task`.
  init(_ errno: Errno, during task: VideoNodeTask, path: String, roots: DeviceRoots) {
    switch errno {
    case .noDevice, .noSuchDeviceOrAddress, .noEntry:
      self = task == .open ? .noDevice(path, errno) : .disconnected(path, errno)
    case .accessDenied, .notPermitted:
      self = .notPermitted(path, errno, roots: roots)
    case .busy:
      self = .inUse(path, errno, roots: roots)
    case .noSpace where task == .streamOn || task == .buffers:
      self = .usbBandwidth(path, errno)
    case .noMemory:
      self.init(
        .outOfMemory, path,
        "The system has no memory left for \(path)'s pictures: choose a smaller size or fewer "
          + "buffers, or stop other cameras.", errno: errno)
    case .tooManyOpenFiles, .fileTableOverflow:
      self.init(
        .tooManyOpenFiles, path,
        "\(path) could not be opened because too many files are open: close some, or raise the "
          + "limit (ulimit -n).", errno: errno)
    case .linkSevered:
      self = .noSignal(path, input: nil, errno)
    case .brokenPipe where task == .streamOn:
      self.init(
        .unsupportedFormat, path,
        "\(path) cannot stream: the parts of its media pipeline are set to formats that do not "
          + "fit together. Set them up with media-ctl, or use libcamera for this camera.",
        errno: errno)
    case .invalidArgument where task == .format:
      self.init(
        .unsupportedFormat, path, "\(path) has no such format: choose one that it lists.",
        errno: errno)
    default:
      self = .failed(path, errno, during: task)
    }
  }

  static func noDevice(_ path: String, _ errno: Errno) -> VideoNodeError {
    let what =
      errno == .noEntry
      ? "There is no \(path)" : "Nothing is connected behind \(path)"
    return VideoNodeError(
      .noDevice, path, "\(what): plug the camera in, or choose another node.", errno: errno)
  }

  static func disconnected(_ path: String, _ errno: Errno?) -> VideoNodeError {
    VideoNodeError(
      .disconnected, path,
      "The camera at \(path) was disconnected: plug it in again and reopen it.", errno: errno)
  }

  static func notPermitted(_ path: String, _ errno: Errno, roots: DeviceRoots) -> VideoNodeError {
    let status = try? NodeStatus(ofNode: path)
    let advice: String
    if errno == .notPermitted || status?.letsThisProcessIn == true {
      advice =
        Sandbox(roots: roots)?.advice
        ?? "its mode would let this process in, but something else does not: look at the rules of "
        + "a security module (AppArmor, SELinux) or of the service that started it."
    } else if let group = status?.usefulGroup {
      advice =
        "it belongs to the group “\(group)”. Join it with “sudo usermod -aG \(group) $USER” and "
        + "log in again."
    } else {
      advice =
        "its mode keeps this user out. Run as a user who may read and write it, or change "
        + "its mode with a udev rule."
    }
    return VideoNodeError(
      .notPermitted, path, "No permission to use \(path): \(advice)", errno: errno)
  }

  /// The kernel has a camera, and there is no node to open it by.
  static func missingNode(_ path: String, camera: String, roots: DeviceRoots) -> VideoNodeError {
    let advice =
      Sandbox(roots: roots)?.advice
      ?? "mount a devtmpfs there, or make the nodes by running udev or “mknod”."
    return VideoNodeError(
      .notPermitted, path, "The machine has the camera “\(camera)”, but no \(path): \(advice)",
      errno: .noEntry)
  }

  static func inUse(_ path: String, _ errno: Errno, roots: DeviceRoots) -> VideoNodeError {
    let holders = NodeHolders(ofNode: path, roots: roots)
    let names = holders.processes.prefix(4).map {
      $0.name.isEmpty ? "process \($0.identifier)" : "\($0.name) (process \($0.identifier))"
    }
    var who: String
    if !names.isEmpty {
      who = " by \(names.joined(separator: ", ")): close it there and try again."
    } else if holders.ownDescriptorCount > 1 {
      who = " by this program itself: stop the session that has it first."
    } else if holders.isBlind {
      who =
        ". Which program uses it cannot be seen without root's rights: “sudo fuser -v \(path)” "
        + "tells."
    } else {
      who =
        ", but no other program has it open: release the frames of it that this program still "
        + "holds, or plug the camera in anew."
    }
    if !names.isEmpty, holders.isBlind { who += " Other users' programs cannot be seen." }
    return VideoNodeError(.inUse, path, "\(path) is in use\(who)", errno: errno)
  }

  static func usbBandwidth(_ path: String, _ errno: Errno) -> VideoNodeError {
    VideoNodeError(
      .usbBandwidth, path,
      "The USB bus has no room left for \(path)'s pictures: choose a compressed format (MJPG), a "
        + "smaller size or fewer frames per second, or plug the camera into another USB "
        + "controller. For cameras that reserve too much, the option quirks=128 of the module "
        + "uvcvideo can help.", errno: errno)
  }

  static func noSignal(_ path: String, input: String?, _ errno: Errno?) -> VideoNodeError {
    let name = input.map { " “\($0)”" } ?? ""
    return VideoNodeError(
      .noSignal, path,
      "No signal arrives at the input\(name) of \(path): switch the source on and check the cable.",
      errno: errno)
  }

  static func privacyShutter(_ path: String) -> VideoNodeError {
    VideoNodeError(
      .privacyShutter, path,
      "The privacy shutter of \(path) is closed: open it, or switch the camera on with its key.")
  }

  static func notACamera(_ path: String, _ objection: String, _ errno: Errno? = nil)
    -> VideoNodeError
  {
    VideoNodeError(
      .notACamera, path, "\(path) is no camera: \(objection). Choose another node.", errno: errno)
  }

  static func invalidAnswer(_ path: String, _ what: String) -> VideoNodeError {
    VideoNodeError(
      .invalidAnswer, path,
      "The driver of \(path) gave an impossible answer: \(what). Another format may work; the "
        + "driver needs a fix.")
  }

  private static func failed(_ path: String, _ errno: Errno, during task: VideoNodeTask)
    -> VideoNodeError
  {
    let (code, what): (Code, String) =
      switch task {
      case .open: (.noDevice, "could not be opened")
      case .describe: (.streamingFailed, "did not describe itself")
      // A cable that is pulled, or firmware that hangs: the format may be as good as any.
      case .format where errno == .inputOutput || errno == .protocolError || errno == .timedOut:
        (.streamingFailed, "did not answer about the format")
      case .format: (.unsupportedFormat, "did not take the format")
      case .buffers: (.streamingFailed, "gave no buffers")
      case .streamOn: (.streamingFailed, "did not start to stream")
      case .stream: (.streamingFailed, "stopped streaming")
      case .watchControls: (.controlFailed, "cannot tell of its controls' changes")
      }
    return VideoNodeError(
      code, path,
      "\(path) \(what) (\(errno)): start it again, and if that does not help, plug the camera in "
        + "anew.", errno: errno)
  }
}
