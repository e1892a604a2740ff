import Testing

@testable import LinuxSystem

@Suite(.timeLimit(.minutes(1)))
struct RawPathTests {
  @Test(arguments: [
    (Array("/a b/ü%.jpg".utf8), "/a%20b/%C3%BC%25.jpg"), ([0x2F, 0xFF, 0x0A], "/%FF%0A"),
    (Array("/plain-._~/x".utf8), "/plain-._~/x"),
  ])
  func isWrittenAsAddressesHaveIt(bytes: [UInt8], text: String) {
    let path = RawPath(bytes: bytes)

    #expect(path.percentEncoded == text)
    #expect(RawPath(percentEncoded: text) == path)
  }

  @Test(arguments: ["/%", "/%4", "/%zz", "/%+1", "/%00"])
  func refusesWhatIsWrittenWrongly(text: String) {
    #expect(RawPath(percentEncoded: text) == nil)
  }

  @Test func knowsItsParts() {
    #expect(RawPath("/a/b.jpg").folder == RawPath("/a"))
    #expect(RawPath("/b.jpg").folder == RawPath("/"))
    #expect(Array(RawPath("/a/b.jpg").name) == Array("b.jpg".utf8))
    #expect(RawPath("/").appending("a") == RawPath("/a"))
    #expect(RawPath("/a").appending("b") == RawPath("/a/b"))
    #expect(RawPath(bytes: [0x2F, 0xFF]).string == nil)
  }

  @Test(
    arguments: [
      ("/p/a", "/p", ["a"]), ("/p/a/b", "/p", ["a", "b"]), ("/pa", "/p", nil), ("/p", "/p", nil),
      ("/p/../q", "/p", nil), ("/p/./q", "/p", nil), ("/p/", "/p", nil), ("/a", "/", ["a"]),
    ] as [(String, String, [String]?)])
  func saysTheWayWithinAFolder(path: String, folder: String, parts: [String]?) {
    let found = RawPath(path).parts(within: RawPath(folder))

    #expect(found == parts?.map { Array($0.utf8) })
  }
}
