/// What to do with a JPEG whose blocks of samples do not allow a change without loss.
///
/// Blocks are 8 × 8 pixels, and 16 × 16 where colours are stored at half the size (4:2:0). A side
/// that becomes the left or the upper one must lie between two of them.
public enum OddEdges: Hashable, Sendable {
  /// Cut the odd pixels off, up to 15 rows or columns at an edge (31 where colours are stored at a
  /// quarter of the size): nothing is encoded again, and nothing is shown that was to be cut off.
  case trim
  /// Decode the picture and encode it again, at a quality from 0 to 1: nothing is cut off. Grey
  /// stays grey, other pictures become 4:2:2, from quality 0.9 on 4:4:4; a progressive one is so no
  /// longer.
  case reencode(quality: Double = 0.95)
  /// Leave the pixels as they are and let the orientation tag say how they are to be shown. A part
  /// of a picture cannot be told in this way and is refused.
  case exifOnly
  /// Refuse with `.unsupported`.
  case fail
}
