import TestSupport

/// The program `image-store-worker`, which is built beside the tests.
extension Worker {
  static var path: String { path(of: "image-store-worker") }

  static func run(_ words: String...) throws -> Result { try wait(for: start([path] + words)) }
}
