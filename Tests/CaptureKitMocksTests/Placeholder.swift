import Testing

@testable import CaptureKitMocks
