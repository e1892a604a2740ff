extension CapturePhotoOutput {
  /// What matters more for a photo, a short wait or a good picture; as Apple's type of this name.
  public enum QualityPrioritization: Int, CaseIterable, Comparable, Sendable {
    /// The first frame after the request, also where exposure has not settled yet.
    case speed = 1
    /// The first frame after the request whose exposure has settled.
    case balanced
    /// As `balanced`; a camera's JPEG is also decoded, so that a damaged one is made up for by the
    /// next frame whatever its damage. Raw frames are encoded with a quality of 0.95.
    case quality

    /// Orders by how much quality counts.
    public static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
  }
}
