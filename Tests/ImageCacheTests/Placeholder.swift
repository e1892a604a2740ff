import Testing

@testable import ImageCache
