import Testing

@testable import LinuxSystem
