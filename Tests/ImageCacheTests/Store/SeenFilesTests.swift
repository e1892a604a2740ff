import TestSupport
import Testing

@testable import ImageCache
@testable import LinuxSystem

struct SeenFilesTests {
  /// What was changed a thousand changes ago may be told only now.
  @Test func knowsTheLatestFourThousand() throws {
    let folder = try TemporaryFolder()
    let status = try #require(try FileStatus(ofFile: folder.path))
    let (seen, stamp) = (SeenFiles(), DiskStamp(status))

    for number in 0..<10_000 {
      seen.note("\(number)", number % 2 == 0 ? stamp : nil)
      let old = max(0, number - 4000)
      #expect(seen.has("\(old)", old % 2 == 0 ? stamp : nil))
    }
    #expect(!seen.has("9999", stamp) && !seen.has("1", nil))
  }
}
