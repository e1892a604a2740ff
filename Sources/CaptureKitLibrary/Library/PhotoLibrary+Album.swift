public import Foundation

extension PhotoLibrary {
  /// A folder within one of the library's folders, at any depth.
  public struct Album: Identifiable, Hashable, Sendable {
    /// Names the album for as long as the folder has its place: its path, percent-encoded.
    public let id: String
    /// The folder.
    public let url: URL
    /// The folder's name; bytes that are not UTF-8 are shown as �.
    public let title: String
    /// How many pictures and movies lie in the folder itself, those of its sub-folders not counted.
    public let assetCount: Int
    /// The newest picture of the folder, or its newest movie where it has no picture; nil where it
    /// has neither.
    public let cover: Asset?
  }
}
