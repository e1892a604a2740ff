import Testing

@testable import CaptureKitLinux
