/// An item that was changed in two ways at once. Nothing of either is lost.
public struct ItemConflict: Hashable, Sendable {
  /// The item's key. Under it stands what the other one has saved; where one has removed the item
  /// and the other changed it, it is the changed one.
  public let key: String
  /// The key of the copy that holds what this store had; nil where one has removed the item.
  public let copyKey: String?
}
