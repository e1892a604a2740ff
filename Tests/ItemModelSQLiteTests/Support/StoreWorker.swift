import TestSupport

/// The program `item-store-worker`, which is built beside the tests.
extension Worker {
  static var path: String { path(of: "item-store-worker") }
}
