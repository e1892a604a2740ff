extension Benchmark {
  /// A program that takes one photo and ends, beside GStreamer's.
  static let onePhoto = Benchmark(name: "one-photo", usualRounds: 15) { rounds in
    let gst = try Program.installed(
      "gst-launch-1.0",
      packages: "gstreamer1.0-tools gstreamer1.0-plugins-base gstreamer1.0-plugins-good")
    let scene = Scene()
    let frame = try scene.mjpeg().frame
    let device = try FakeDevice(
      sending: .init(
        fourCharacterCode: "MJPG", width: scene.width, height: scene.height, bytes: frame, rate: 30)
    )
    let (ourPhoto, theirPhoto) = (device.folder.path("ours.jpg"), device.folder.path("gst.jpg"))
    let ours = [try Program.ours("one-photo-ours"), FakeDevice.path, ourPhoto]
    let theirs = [
      gst, "-q", "v4l2src", "device=\(FakeDevice.path)", "num-buffers=1", "!",
      "image/jpeg,width=\(scene.width),height=\(scene.height)", "!", "filesink",
      "location=\(theirPhoto)",
    ]
    var (ourMemory, theirMemory) = (Samples(), Samples())
    func milliseconds(_ command: [String], _ memory: inout Samples) throws -> Double {
      let cost = try Program.cost(of: command, environment: device.environment)
      memory.append(Double(cost.peakKilobytes) / 1024)
      return cost.microseconds / 1000
    }
    let pair = try await Pair.measure(rounds: rounds) {
      try milliseconds(ours, &ourMemory)
    } base: {
      try milliseconds(theirs, &theirMemory)
    }
    var result = Measurement(pair: pair, unit: "ms", baseName: "gst-launch-1.0", limit: 0.5)
    result.notes.append(
      "peak memory: ours \(hundredths(ourMemory.median)) MB,"
        + " gst-launch-1.0 \(hundredths(theirMemory.median)) MB")
    let photo = try device.folder.read("ours.jpg")
    result.check(
      JPEGSegments.scan(of: photo) == JPEGSegments.scan(of: frame),
      "the photo's scan data is the camera's, byte for byte")
    result.check(scene.psnr(of: photo) > 30, "the photo can be decoded and shows the scene")
    result.check(
      try device.folder.read("gst.jpg").count == frame.count, "GStreamer has saved the same frame")
    return result
  }
}
