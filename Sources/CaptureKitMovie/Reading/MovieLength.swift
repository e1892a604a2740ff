import Imaging

/// How long a movie is that does not say so: one whose recording was interrupted.
enum MovieLength {
  /// Bytes that are read at most; of Matroska, where a part is enough, and of others.
  private static let partByteCount = 1 << 29
  private static let byteCount = 1 << 32
  private static let damageLimit = 256

  /// Reads the movie's packets to their end, without decoding them; of a Matroska movie those of the
  /// last cluster.
  ///
  /// - Returns: Units from the first frame to the end of the last one that was found; nil where
  ///   there is none.
  static func measured(
    _ file: MovieInputFile, _ facts: MovieFacts, _ limits: Image.Limits,
    _ cancellation: MovieCancellation
  ) -> Int64? {
    guard let demuxer = try? LibAVDemuxerBridge.open(file, cancellation, limits) else { return nil }
    demuxer.allow(facts.container == .matroska ? partByteCount : byteCount)
    if let cluster = MatroskaClusters(unindexed: file, facts.container)?.last {
      demuxer.addIndexEntry(cluster.time, atByte: cluster.offset)
      if demuxer.seek(to: cluster.time), let end = end(demuxer, facts) { return end }
      guard let again = try? LibAVDemuxerBridge.open(file, cancellation, limits) else { return nil }
      again.allow(partByteCount)
      return end(again, facts)
    }
    return end(demuxer, facts)
  }

  private static func end(_ demuxer: LibAVDemuxerBridge, _ facts: MovieFacts) -> Int64? {
    var end: Int64?
    var damage = 0
    while damage < damageLimit, let reading = try? demuxer.readPacket() {
      switch reading {
      case .packet:
        damage = 0
        guard !demuxer.isPacketDamaged || facts.container == .mpegTransportStream,
          let (start, length) = demuxer.packetTimes
        else { continue }
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
