import ExampleSupport
import Foundation
import Testing
import WebServer

@testable import lootlogger

@Suite(.timeLimit(.minutes(1)))
struct LootOptionsTests {
  private func options(
    _ words: String..., environment: [String: String] = [:]
  ) throws -> LootOptions {
    try LootOptions(
      Options(words, flags: LootOptions.flags, valued: LootOptions.valued),
      environment: environment)
  }

  @Test func servesThisMachineAloneUnlessAsked() throws {
    let usual = try options()

    #expect(usual.address == "127.0.0.1")
    #expect(usual.port == 8080)
    #expect(usual.token == nil)
  }

  @Test(arguments: ["0.0.0.0", "192.168.1.20", "::", "127.0.0.1.evil", "fe80::1"])
  func asksClientsOfOtherMachinesForAToken(_ address: String) throws {
    #expect(try options("--address", address).token != nil)
  }

  @Test(arguments: ["127.0.0.1", "127.1.2.3", "::1"])
  func asksThoseOfThisMachineForOneWhereThatIsWanted(_ address: String) throws {
    #expect(try options("--address", address).token == nil)
    #expect(
      try options("--address", address, "--token", "0123456789abcdef").token?.text
        == "0123456789abcdef")
  }

  @Test(arguments: [
    ["--port", "65536"], ["--port", "-1"], ["--port", "http"], ["--token", "short"],
    ["--token", "0123456789 abcdef"],
  ])
  func refusesWhatIsWrong(_ words: [String]) {
    #expect(throws: Failure.self) {
      try LootOptions(
        Options(words, flags: LootOptions.flags, valued: LootOptions.valued), environment: [:])
    }
  }

  @Test func keepsDataWhereTheUserWantsIt() throws {
    func path(_ words: String..., data: String?) throws -> String {
      let environment = data.map { ["XDG_DATA_HOME": $0] } ?? [:]
      let options = try Options(words, flags: LootOptions.flags, valued: LootOptions.valued)
      return try LootOptions(options, environment: environment).folder.path
    }

    #expect(try path("--data", "/a/b", data: "/c") == "/a/b")
    #expect(try path(data: "/c") == "/c/lootlogger")
    #expect(try path(data: "c").hasSuffix("/.local/share/lootlogger"))
    #expect(try path(data: nil).hasSuffix("/.local/share/lootlogger"))
  }
}
