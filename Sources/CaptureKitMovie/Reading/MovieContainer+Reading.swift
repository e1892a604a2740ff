extension MovieContainer {
  /// An MPEG transport stream (`ts`), as network cameras and receivers write it: read, not recorded.
  public static let mpegTransportStream = MovieContainer(rawValue: "ts")
}
