import Foundation
import Testing
import WebServer

@Suite(.timeLimit(.minutes(1)))
struct WebGuardTests {
  private let ours = WebGuard(port: 8080, names: ["Desk"], program: "test", token: nil)

  private func status(
    _ method: String = "GET", _ path: String = "/", host: String? = "127.0.0.1:8080",
    _ headers: [String: String] = [:], by admission: WebGuard? = nil, query: [String: String] = [:]
  ) -> Int? {
    var headers = headers
    headers["host"] = host
    let request = WebRequest(method: method, path: path, query: query, headers: headers)
    return (admission ?? ours).refusal(of: request)?.status
  }

  @Test(arguments: [
    "127.0.0.1:8080", "localhost:8080", "LOCALHOST:8080", "[::1]:8080", "192.168.1.20:8080",
    "desk:8080",
  ])
  func admitsItsOwnNames(_ host: String) {
    #expect(status(host: host) == nil)
  }

  @Test(arguments: [
    nil, "", "evil.example:8080", "127.0.0.1", "127.0.0.1:80", "127.0.0.1.evil.example:8080",
    "1.2.3:8080", "256.0.0.1:8080", "[::1", "[evil]:8080", "[::1]8080", "localhost:8080, evil",
    "desk.evil.example:8080", "localhost.:8080", ":8080",
  ])
  func refusesNamesThatOnlyLeadHere(_ host: String?) {
    #expect(status(host: host) == 421)
  }

  @Test func takesThePortOutOfTheNameWhereItIsTheUsualOne() {
    let usual = WebGuard(port: 80, program: "test", token: nil)

    #expect(status(host: "localhost", by: usual) == nil)
    #expect(status(host: "localhost:80", by: usual) == nil)
    #expect(status(host: "localhost:8080", by: usual) == 421)
  }

  @Test(arguments: ["POST", "PATCH", "PUT", "DELETE", "OPTIONS"])
  func asksForAHeaderThatNoFormCanHave(_ method: String) {
    #expect(status(method) == 403)
    #expect(status(method, ["x-requested-by": "a page"]) == nil)
  }

  @Test(arguments: [
    "http://evil.example", "http://127.0.0.1:8081", "https://127.0.0.1:8080", "null", "",
    "http://127.0.0.1:8080.evil.example",
  ])
  func refusesOtherOrigins(_ origin: String) {
    #expect(status(["origin": origin]) == 403)
    #expect(status("POST", ["origin": origin, "x-requested-by": "a page"]) == 403)
  }

  @Test func admitsItsOwnOrigin() {
    #expect(
      status("POST", ["origin": "http://127.0.0.1:8080", "x-requested-by": "a page"]) == nil)
  }

  @Test func letsAnotherPageLeadToThePageAlone() {
    let navigation = ["sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"]

    #expect(status("GET", "/", navigation) == nil)
    #expect(status("GET", "/api/items", navigation) == 403)
    #expect(status("POST", "/", navigation.merging(["x-requested-by": "a"]) { $1 }) == 403)
    #expect(status("GET", "/", ["sec-fetch-site": "cross-site"]) == 403)
    #expect(status("GET", "/", ["sec-fetch-site": "none"]) == nil)
    #expect(status("GET", "/api/items", ["sec-fetch-site": "same-origin"]) == nil)
  }

  @Test func admitsThoseWhoKnowTheToken() throws {
    let token = try #require(AccessToken("0123456789abcdef"))
    let admission = WebGuard(port: 8080, program: "test", token: token)

    #expect(status(by: admission) == 401)
    #expect(status(["cookie": "test-8080=0123456789abcdef"], by: admission) == nil)
    #expect(status(["cookie": "a=b; test-8080=0123456789abcdef"], by: admission) == nil)
    #expect(status(["cookie": "test-8081=0123456789abcdef"], by: admission) == 401)
    #expect(status(["cookie": "test-8080=0123456789abcdeg"], by: admission) == 401)
    #expect(status(["authorization": "Bearer 0123456789abcdef"], by: admission) == nil)
    #expect(status(["authorization": "0123456789abcdef"], by: admission) == 401)
  }

  @Test func takesTheTokenOutOfTheAddress() throws {
    let token = try #require(AccessToken("0123456789abcdef"))
    let admission = WebGuard(port: 8080, program: "test", token: token)
    func response(_ path: String, _ guess: String) -> WebResponse? {
      admission.refusal(
        of: WebRequest(path: path, query: ["token": guess], headers: ["host": "localhost:8080"]))
    }

    let redirect = try #require(response("/", token.text))

    #expect(redirect.status == 303)
    #expect(redirect.headers["Location"] == "/")
    #expect(redirect.headers["Set-Cookie"]?.contains("HttpOnly; SameSite=Strict") == true)
    #expect(response("/", "0123456789abcdeg")?.status == 401)
    #expect(response("/api/items", token.text)?.status == 401)
  }
}

extension WebGuardTests {
  private func status(
    _ headers: [String: String], by admission: WebGuard? = nil
  ) -> Int? {
    status("GET", "/", headers, by: admission)
  }

  private func status(_ method: String, _ headers: [String: String]) -> Int? {
    status(method, "/", headers)
  }

  private func status(
    _ method: String, _ path: String, _ headers: [String: String], by admission: WebGuard? = nil
  ) -> Int? {
    status(method, path, host: "127.0.0.1:8080", headers, by: admission)
  }
}
