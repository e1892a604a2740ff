import Imaging

/// How long a movie is that does not say so: one whose recording was interrupted.
enum MovieLength {
  /// The last bytes of a file, in which a Matroska movie's last frame is looked for at first.
  private static let tailByteCount = 16 << 20
  /// Bytes that are read at most.
  private static let byteCount = 1 << 34

  /// Reads the movie's packets to their end, without decoding them.
  ///
  /// - Returns: Units from the first frame to the end of the last one that was found; nil where
  ///   there is none.
  static func measured(
    _ file: MovieInputFile, _ facts: MovieFacts, _ limits: Image.Limits,
    _ cancellation: MovieCancellation
  ) -> Int64? {
    if facts.container == .matroska, file.byteCount > 2 * tailByteCount,
      let demuxer = try? LibAVDemuxerBridge.open(file, cancellation, limits),
      demuxer.seek(toByte: file.byteCount - tailByteCount), let end = end(demuxer, facts)
    {
      return end
    }
    guard let demuxer = try? LibAVDemuxerBridge.open(file, cancellation, limits) else { return nil }
    return end(demuxer, facts)
  }

  private static func end(_ demuxer: LibAVDemuxerBridge, _ facts: MovieFacts) -> Int64? {
    demuxer.allow(byteCount)
    var end: Int64?
    var damage = 0
    while damage < 256, let reading = try? demuxer.readPacket() {
      switch reading {
      case .packet:
        damage = 0
        guard let (start, length) = demuxer.packetTimes else { continue }
        let next = start.subtractingClamped(facts.start)
          .addingClamped(length > 0 ? length : facts.usualTicks)
        end = max(end ?? next, next)
      case .damage: damage += 1
      case .end, .cutOff: return end
      }
    }
    return end
  }
}
