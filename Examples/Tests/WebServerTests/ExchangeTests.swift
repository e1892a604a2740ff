import Foundation
import Testing

@testable import WebServer

@Suite(.timeLimit(.minutes(1)))
struct ExchangeTests {
  private let memory = BodyMemory(limit: 100)

  private func exchange(
    length: String? = nil, refusal: WebResponse? = nil, limit: Int = 10
  ) -> Exchange {
    let headers = length.map { ["content-length": $0] } ?? [:]
    return Exchange(
      WebRequest(method: "POST", path: "/", headers: headers), refusal: refusal, limit: limit,
      memory: memory)
  }

  private func receive(_ count: Int, _ exchange: Exchange) -> Bool {
    exchange.receive(Data(repeating: 7, count: count).bytes)
  }

  private func status(_ exchange: Exchange) -> Int? {
    if case .reply(let response) = exchange.step() { response.status } else { nil }
  }

  @Test func asksOnceAndRepliesOnce() throws {
    let exchange = exchange()

    #expect(receive(4, exchange) && receive(6, exchange))
    guard case .ask(let request) = exchange.step() else { throw Failed() }
    #expect(request.body == Data(repeating: 7, count: 10))
    guard case .cut = exchange.step() else { throw Failed() }
    exchange.answer(.sentence(200, "Fine."))

    #expect(status(exchange) == 200)
    guard case .cut = exchange.step() else { throw Failed() }
  }

  @Test func refusesWhatIsTooLarge() {
    let exchange = exchange()

    #expect(receive(10, exchange) && receive(1, exchange))

    #expect(status(exchange) == 413)
  }

  @Test(arguments: ["11", "-", "99999999999999999999999", ""])
  func refusesWhatDeclaresTooMuch(_ length: String) {
    #expect(status(exchange(length: length)) == 413)
  }

  @Test func endsWhatNeverEnds() {
    let exchange = exchange(length: "11")
    var pieces = 0

    while receive(1 << 20, exchange) { pieces += 1 }

    #expect(pieces == 8)
  }

  @Test func keepsNothingOfWhatIsRefused() {
    let refused = exchange(refusal: .sentence(403, "No."), limit: 100)

    #expect(receive(90, refused))
    #expect(memory.take(100))
    #expect(status(refused) == 403)
  }

  @Test func sharesTheMemoryWithOthers() {
    var first: Exchange? = exchange(limit: 100)
    let second = exchange(limit: 100)
    #expect(first.map { receive(60, $0) } == true)

    #expect(receive(60, second))
    #expect(status(second) == 503)
    first = nil

    #expect(memory.take(100))
  }

  private struct Failed: Error {}
}
