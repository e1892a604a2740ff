package import Foundation

/// H.264 as a camera sends it, made by `ffmpeg` and cut into frames.
package struct H264Stream: Sendable {
  /// Access units with start codes, each with its delimiter.
  package let frames: [Data]

  /// Reads a stream in which delimiters stand before all access units.
  package init(contentsOf url: URL) throws {
    let bytes = [UInt8](try Data(contentsOf: url))
    var starts: [Int] = []
    for place in 0..<max(bytes.count - 5, 0)
    where bytes[place...].starts(with: [0, 0, 0, 1, 9]) {
      starts.append(place)
    }
    frames = starts.indices.map { index in
      let end = index + 1 < starts.count ? starts[index + 1] : bytes.count
      return Data(bytes[starts[index]..<end])
    }
  }

  /// Has a stream of a moving picture made.
  ///
  /// - Parameters:
  ///   - url: The file.
  ///   - frameCount: How many frames of 160 by 120 pixels; every fifteenth is a key frame.
  /// - Throws: Where `ffmpeg` cannot be started.
  package static func make(_ url: URL, frameCount: Int) throws {
    let worker = try Worker.start([
      "/usr/bin/ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i",
      "testsrc=size=160x120:rate=30", "-frames:v", "\(frameCount)", "-pix_fmt",
      "yuv420p", "-c:v", "libx264", "-preset", "ultrafast", "-bf", "0", "-g", "15", "-x264-params",
      "scenecut=0:repeat-headers=1", "-bsf:v", "h264_metadata=aud=insert", "-f", "h264", url.path,
    ])
    _ = try Worker.wait(for: worker)
  }
}
