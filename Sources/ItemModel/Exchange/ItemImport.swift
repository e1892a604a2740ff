/// Items of another program's file, and what of it could not be read.
public struct ItemImport: Hashable, Sendable {
  /// What could not be read.
  public struct Problem: Hashable, Sendable {
    /// Where it stands: a line of CSV or an element of JSON, from 1.
    public let place: Int
    /// What is wrong with it; a sentence.
    public let reason: String
  }

  /// What could be read, in the file's order, under distinct keys.
  public internal(set) var items: [Item] = []
  /// What could not, in the file's order.
  public internal(set) var problems: [Problem] = []
  /// Columns of CSV that no value of an item belongs to.
  public internal(set) var ignoredColumns: [String] = []
}
