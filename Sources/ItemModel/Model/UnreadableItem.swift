/// An element of a file that is no item for this version: kept, and written back where it stood.
public struct UnreadableItem: Hashable, Sendable {
  /// Where it stands in the file's list, from 0.
  public let position: Int
  /// What stands there.
  public let value: ItemValue
  /// What is wrong with it; a sentence.
  public let reason: String

  package init(position: Int, value: ItemValue, reason: String) {
    self.position = position
    self.value = value
    self.reason = reason
  }
}
