/// The places of a Matroska file's header (RFC 9559) that libavformat leaves open; pure.
struct MatroskaHeader: HeaderUpkeep {
  /// Where there is room for a duration of 11 bytes; nil where none was found.
  let durationPlace: Int?
  /// Where the kind of a projection stands; nil where the pictures have none.
  let projectionPlace: Int?

  private static let duration: [UInt8] = [0x44, 0x89, 0x88]
  /// `Void` of eleven bytes, which is what a duration takes, in the ways to say so.
  private static let rooms: [[UInt8]] = [[0xEC, 1, 0, 0, 0, 0, 0, 0, 2], [0xEC, 0x89]]
  /// `Tracks`, which follows.
  private static let tracks: [UInt8] = [0x16, 0x54, 0xAE, 0x6B]
  /// `ProjectionType`, equirectangular.
  private static let projection: [UInt8] = [0x76, 0x71, 0x81, 1]
  /// `Info`.
  private static let information: [UInt8] = [0x15, 0x49, 0xA9, 0x66]

  init(_ header: [UInt8]) {
    let information = header.place(of: Self.information, from: 0)
    let end = information.flatMap { header.place(of: Self.tracks, from: $0) } ?? 0
    durationPlace = information.flatMap { start in
      Self.rooms.lazy.compactMap { header.place(of: $0, from: start) }.first { $0 + 11 <= end }
    }
    projectionPlace = header.place(of: Self.projection, from: 0).map { $0 + 3 }
  }

  /// Pictures that are turned are flat: type 0, rectangular.
  func begin(_ sink: MovieFileSink) {
    if let projectionPlace { sink.patch([0], at: Int64(projectionPlace)) }
  }

  func update(_ sink: MovieFileSink, duration: Duration, tickCount: Int64) {
    guard let durationPlace else { return }
    sink.patch(Self.duration + Self.milliseconds(duration), at: Int64(durationPlace))
  }

  /// A float of eight bytes, the highest first.
  private static func milliseconds(_ duration: Duration) -> [UInt8] {
    let bits = (duration / .milliseconds(1)).bitPattern
    return (0..<8).map { UInt8(truncatingIfNeeded: bits >> UInt64(56 - 8 * $0)) }
  }
}

extension [UInt8] {
  /// Where bytes stand first from a place on.
  func place(of pattern: [UInt8], from start: Int) -> Int? {
    guard start >= 0, count - start >= pattern.count else { return nil }
    return (start...(count - pattern.count)).first { place in
      pattern.indices.allSatisfy { self[place + $0] == pattern[$0] }
    }
  }
}
