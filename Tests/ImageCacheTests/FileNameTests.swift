import Testing

@testable import ImageCache

@Suite(.timeLimit(.minutes(1)))
struct FileNameTests {
  @Test(arguments: [
    ("front-door_2", "front-door_2.jpg"),
    ("photo.jpg", "photo.jpg.jpg"),
    ("E621E1F8-C36C", "+e621e1f8-c36c.jpg"),
    ("aBCd", "a+bc+d.jpg"),
    ("a/b é", "a=2fb=20=c3=a9.jpg"),
    ("../../etc/passwd", "=2e.=2f..=2fetc=2fpasswd.jpg"),
    (".hidden", "=2ehidden.jpg"),
    ("-rf", "=2drf.jpg"),
    ("a+b=c~d", "a=2bb=3dc=7ed.jpg"),
    ("", "=.jpg"),
  ])
  func namesAFileLikeItsKey(key: String, name: String) {
    #expect(FileName.name(forKey: key) == name)
    #expect(FileName.key(of: name) == key)
  }

  @Test func keepsTheBeginningOfALongKeyAndAddsItsHash() {
    let name = FileName.name(forKey: String(repeating: "a", count: 1000))

    #expect(
      name == String(repeating: "a", count: 120)
        + "~41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3.jpg")
  }

  /// Keys that differ in case, in what stands for what, at the end or in length only.
  @Test func neverGivesTwoKeysOneNameEvenWhereCaseDoesNotCount() {
    let alphabet = ["a", "A", "b", "+", "=", "~", ".", "/", "2", "f", "é", "\0", "-"]
    var keys = [""]
    for length in 1...3 {
      keys += keys.filter { $0.count == length - 1 }.flatMap { key in alphabet.map { key + $0 } }
    }
    let long = String(repeating: "k", count: 139)
    keys += ["", "l", "L", "lm", "lM", "l/"].map { long + $0 }
    keys += (0..<500).map { String(repeating: "x", count: 100 + $0) }

    let names = Set(keys.map { FileName.name(forKey: $0).lowercased() })

    #expect(names.count == Set(keys).count)
  }

  @Test func isSafeForEachByteAndAnyLength() {
    let keys =
      (0...255).map { String(UnicodeScalar(UInt8($0))) }
      + [1, 10, 100, 1000, 10_000].map { String(repeating: "/ÄX😀", count: $0) }
    let safe = Set("abcdefghijklmnopqrstuvwxyz0123456789-_.+=~")

    for key in keys {
      let name = FileName.name(forKey: key)
      #expect(name.allSatisfy { safe.contains($0) }, "\(name)")
      #expect(name.hasSuffix(".jpg") && !name.hasPrefix(".") && !name.hasPrefix("-"), "\(name)")
      #expect(name.utf8.count <= 200, "\(name)")
    }
  }

  @Test(arguments: [
    "a", "A.jpg", "=61.jpg", "=2drf", "=41.jpg", "++a.jpg", "a+.jpg", "=zz.jpg", "=2.jpg",
    "a b.jpg", "=c3.jpg",
    ".jpg", "=65=cc=81.jpg", "=2fb.JPG", "photo.png",
  ])
  func knowsNamesThatNoKeyHas(name: String) {
    #expect(FileName.key(of: name) == nil)
    #expect(!FileName.isPicture(name))
  }

  @Test func knowsTheNamesOfLongKeys() {
    for key in [String(repeating: "a", count: 1000), String(repeating: "é", count: 90)] {
      let name = FileName.name(forKey: key)
      #expect(FileName.isHashed(name) && FileName.isPicture(name) && FileName.key(of: name) == nil)
    }
    #expect(!FileName.isHashed(FileName.name(forKey: String(repeating: "a", count: 140))))
  }

  @Test func givesEqualKeysTheSameName() {
    #expect("\u{E9}" == "e\u{301}")
    #expect(FileName.name(forKey: "\u{E9}") == FileName.name(forKey: "e\u{301}"))
  }
}
