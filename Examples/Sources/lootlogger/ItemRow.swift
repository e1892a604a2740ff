import Foundation
import ItemModel

/// An item as pages know it.
struct ItemRow: Hashable, Sendable, Codable {
  let key: String
  let name: String
  /// Empty where there is none.
  let serial: String
  let value: Int
  /// Seconds since 1970.
  let date: Double
  /// A word that pages know.
  let category: String
  /// Another text for each picture that the item has had; nil where it has none.
  let photo: String?

}

extension ItemRow {
  init(_ item: Item, photo: String?) {
    self.init(
      key: item.itemKey, name: item.name, serial: item.serialNumber ?? "",
      value: item.valueInDollars, date: item.dateCreated.timeIntervalSince1970,
      category: item.category.displayed.rawValue, photo: photo)
  }
}
