import CaptureKitLinux

extension LabStudio {
  /// The first frames that a video data output delivers.
  func frames(
    _ count: Int, as settings: CaptureVideoDataOutput.VideoSettings,
    _ prepare: (CaptureConnection) -> Void = { _ in }
  ) async throws -> [CapturedFrame] {
    let video = CaptureVideoDataOutput()
    try video.setVideoSettings(settings)
    try session.add(video)
    if let connection = video.connection(with: .video) { prepare(connection) }
    try await session.start()
    var frames: [CapturedFrame] = []
    for await frame in video.frames {
      frames.append(frame)
      if frames.count == count { break }
    }
    await session.stop()
    return frames
  }
}
