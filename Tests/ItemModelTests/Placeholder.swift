import Testing

@testable import ItemModel
