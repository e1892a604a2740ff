import Video4Linux

/// The code of the error that `body` throws; nil if it throws none or another kind.
func code(_ body: () throws -> Void) -> VideoNodeError.Code? {
  error(body)?.code
}

/// The error that `body` throws; nil if it throws none or another kind.
func error(_ body: () throws -> Void) -> VideoNodeError? {
  do {
    try body()
    return nil
  } catch {
    return error as? VideoNodeError
  }
}

extension StreamRequest {
  static let vga = StreamRequest(fourcc: .yuyv, size: FrameSize(width: 640, height: 480))
}

extension VideoStream {
  /// The next frame, or nil where something else came.
  func frame(timeoutMilliseconds: Int = 1000) throws -> LeasedFrame? {
    guard case .frame(let frame) = try nextFrame(timeoutMilliseconds: timeoutMilliseconds) else {
      return nil
    }
    return frame
  }

  convenience init(_ kernel: FakeKernel) throws {
    try self.init(node: VideoNode(path: "/dev/video0", kernel: kernel))
  }
}

extension NextFrame {
  /// What came, without its contents.
  var kind: String {
    switch self {
    case .frame: "frame"
    case .timedOut: "timedOut"
    case .interrupted: "interrupted"
    case .transient: "transient"
    case .sourceChanged: "sourceChanged"
    case .privacyShutterClosed: "privacyShutterClosed"
    case .ended: "ended"
    }
  }
}
