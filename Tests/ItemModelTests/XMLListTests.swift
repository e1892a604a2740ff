import Foundation
import Testing

@testable import ItemModel

@Suite(.timeLimit(.minutes(1)))
struct XMLListTests {
  private func read(_ body: String) throws -> ItemValue {
    try XMLListReader.root(of: Array("<?xml version=\"1.0\"?><plist>\(body)</plist>".utf8))
  }

  private static let values: [(String, ItemValue)] = [
    ("<array/>", .list([])), ("<array></array>", .list([])), ("<dict/>", .fields([:])),
    ("<true/>", .bool(true)), ("<false></false>", .bool(false)), ("<string/>", .text("")),
    ("<integer>-5</integer>", .integer(-5)), ("<integer> +0x1F\n</integer>", .integer(31)),
    ("<integer>18446744073709551615</integer>", .unsigned(.max)), ("<real>2</real>", .real(2)),
    ("<real>-infinity</real>", .real(-.infinity)),
    ("<data>\n AQ\tI=\n</data>", .data(Data([1, 2]))),
    (
      "<date>2001-01-01T00:00:01Z</date>", .date(Date(timeIntervalSinceReferenceDate: 1))
    ),
    ("<string> &lt;&amp;&gt;&quot;&apos;&#65;&#x1F4DA; </string>", .text(" <&>\"'A📚 ")),
    ("<string>a<![CDATA[<b>&amp;]]>c<!-- no -->d</string>", .text("a<b>&amp;cd")),
    (
      "<!-- <array> --><dict ><key>a</key><array>\n<true/></array></dict >",
      .fields(["a": .list([.bool(true)])])
    ),
  ]

  @Test(arguments: values)
  func readsEachValue(text: String, value: ItemValue) throws { #expect(try read(text) == value) }

  @Test(arguments: [
    "", "<array>", "<string>a", "<string>a</key>", "<string>&nbsp;</string>",
    "<string>&#xD800;</string>",
    "<integer>x</integer>", "<integer/>", "<real/>", "<date>now</date>", "<dict><true/></dict>",
    "<dict><key>a</key></dict>", "<thing/>", "<![CDATA[", "<!--", "<array><", "<array/><array/>",
  ])
  func refusesDamage(text: String) {
    #expect(throws: ListDamage.self) { try read(text) }
  }

  @Test func readsWhatFoundationWrites() throws {
    let root: [String: Any] = [
      "a": [1, 2.5, true, "é <&> \u{1} 👩‍👩‍👧 ", Date(timeIntervalSinceReferenceDate: 7e8)],
      "data": Data(0..<100),
    ]
    let xml = try PropertyListSerialization.data(
      fromPropertyList: root, format: .xml, options: 0)
    let binary = try PropertyListSerialization.data(
      fromPropertyList: root, format: .binary, options: 0)

    var reader = try BinaryListReader(Array(binary))
    #expect(try XMLListReader.root(of: Array(xml)) == reader.root())
    let text = try #require(String(data: xml, encoding: .utf8)?.data(using: .utf16))
    #expect(try XMLListReader.root(of: Array(text)) == XMLListReader.root(of: Array(xml)))
  }
}
