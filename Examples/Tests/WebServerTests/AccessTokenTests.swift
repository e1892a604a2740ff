import Testing
import WebServer

@Suite(.timeLimit(.minutes(1)))
struct AccessTokenTests {
  @Test func takesPlainTextsThatAreLongEnough() {
    #expect(AccessToken("0123456789abcde") == nil)
    #expect(AccessToken("0123456789abcdef") != nil)
    #expect(AccessToken("0123456789abcdeé") == nil)
    #expect(AccessToken("0123456789 abcdef") == nil)
    #expect(AccessToken("0123456789;abcdef") == nil)
  }

  @Test func matchesItselfAlone() throws {
    let token = try #require(AccessToken("0123456789abcdef"))

    #expect(token.matches("0123456789abcdef"))
    for guess in [nil, "", "0123456789abcdeF", "0123456789abcde", "0123456789abcdef0"] {
      #expect(!token.matches(guess))
    }
  }

  @Test func makesUpAnotherOneEachTime() {
    let tokens = (0..<100).map { _ in AccessToken() }

    #expect(Set(tokens.map(\.text)).count == 100)
    #expect(tokens.allSatisfy { AccessToken($0.text)?.matches($0.text) == true })
  }
}
