// An inventory moved into a database, and read page by page.

import Foundation
import ItemModel
import ItemModelSQLite

let folder = URL.temporaryDirectory.appending(path: "InventoryInADatabase")
let inventoryURL = folder.appending(path: "items.plist")
let databaseURL = folder.appending(path: "items.sqlite")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
if !FileManager.default.fileExists(atPath: inventoryURL.path) {
  let list = try ItemStore(contentsOf: inventoryURL)
  list.createItem(name: "Bicycle", valueInDollars: 450, category: .other)
  try list.saveChanges()
}

// snippet.show
// Once, since it writes over no inventory; it loses nothing, also in a crash.
if !FileManager.default.fileExists(atPath: databaseURL.path) {
  try ItemStore.move(propertyList: inventoryURL, toDatabase: databaseURL)
}
let items = try ItemStore(database: databaseURL)

let inventory = try ItemDatabase(contentsOf: databaseURL)
let page = try inventory.items(matching: ItemQuery(order: .value), offset: 0, limit: 50)
for item in page where item.valueInDollars < 12 {
  try inventory.updateItem(forKey: item.itemKey) { $0.valueInDollars = 12 }
}
