import TestSupport
import Testing

@testable import ImageCache

struct ChecksumTests {
  /// However the processor's own code goes through them: short ones, blocks and what is left over.
  @Test func isTheLibrarys() {
    var random = StoredSample.Generator(state: 1)
    let bytes = (0..<40_000).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    for count in Array(0..<600) + [1023, 1024, 1025, 4096, 32_768, 40_000] {
      let span = bytes.span.bytes.extracting(first: count)
      let (ours, library) = (LibXXHashBridge.hash(span), LibXXHashBridge.hashByLibrary(span))
      #expect(ours == library, "\(count) bytes")
    }
  }
}
