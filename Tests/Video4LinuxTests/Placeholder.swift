import Testing

@testable import Video4Linux
