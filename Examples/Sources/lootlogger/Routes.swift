import ExampleSupport
import Foundation
import ImageCache
import Imaging
import Synchronization
import WebServer

/// Which request gets what.
final class Routes: WebHandling {
  private let page: Page
  let inventory: Inventory
  let camera: CameraDesk
  let drafts = Drafts()
  private let admission = Mutex<WebGuard?>(nil)

  init(page: Page, inventory: Inventory, camera: CameraDesk) {
    self.page = page
    self.inventory = inventory
    self.camera = camera
  }

  /// Begins to let clients in; the server's port has to be known.
  func admit(by newGuard: WebGuard) { admission.withLock { $0 = newGuard } }

  func refusal(of request: WebRequest) -> WebResponse? {
    guard let admission = admission.withLock({ $0 }) else {
      return .sentence(503, "The server is starting: try again.")
    }
    return admission.refusal(of: request).map(secured)
  }

  func bodyLimit(of request: WebRequest) -> Int {
    guard request.isWrite else { return 0 }
    switch request.path {
    case "/api/drafts": return Drafts.byteLimit
    case "/api/items": return 4 << 20
    default: return 64 << 10
    }
  }

  func response(to request: WebRequest) async -> WebResponse {
    var request = request
    // The server leaves the body of the response out.
    let isHead = request.method == "HEAD"
    if isHead {
      request = WebRequest(path: request.path, query: request.query, headers: request.headers)
      if ["/events", "/camera.mjpg"].contains(request.path) {
        return secured(.sentence(405, "That is a stream: use GET."))
      }
    }
    do {
      return secured(try await answer(request))
    } catch let refusal as Inventory.Refusal {
      return secured(Self.response(to: refusal))
    } catch let error as ImagingError {
      return secured(.sentence(422, "That is no picture that can be used. \(error)"))
    } catch is DecodingError {
      return secured(.sentence(400, "That request is not understood: reload the page."))
    } catch {
      return secured(.sentence(500, Failure(error).sentence))
    }
  }

  private func answer(_ request: WebRequest) async throws -> WebResponse {
    if let resource = page[request.path] {
      return request.isWrite ? Self.wrongMethod : resource
    }
    let parts = request.components
    switch (request.method, parts.first, parts.count) {
    case ("GET", "events", 1): return events(request)
    case ("GET", "camera.mjpg", 1): return try await stream()
    case (_, "api", 2...4): return try await answer(request, Array(parts.dropFirst()))
    default: return Self.nothing
    }
  }

  private func answer(_ request: WebRequest, _ parts: [String]) async throws -> WebResponse {
    switch parts[0] {
    case "items": try await answerOfItems(request, Array(parts.dropFirst()))
    case "drafts": try answerOfDrafts(request, Array(parts.dropFirst()))
    case "camera": try await answerOfCamera(request, Array(parts.dropFirst()))
    default: Self.nothing
    }
  }

  static let nothing = WebResponse.sentence(404, "There is nothing by that name.")
  static let wrongMethod = WebResponse.sentence(405, "That cannot be done with it.")
}

// MARK: - Streams

extension Routes {
  private func events(_ request: WebRequest) -> WebResponse {
    let last = request.headers["last-event-id"]
    return .connection { [inventory] connection in
      Task { await inventory.add(connection, after: last) }
    }
  }

  private func stream() async throws -> WebResponse {
    do {
      try await camera.start()
    } catch {
      return .sentence(503, Failure(error).sentence)
    }
    return .connection { [camera] in camera.show(to: $0) }
  }
}

// MARK: - What all responses have

extension Routes {
  /// The page runs no script and shows no picture but its own, and nobody else shows it.
  private static let policy = """
    default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self'; \
    img-src 'self' blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'none'
    """

  private func secured(_ response: WebResponse) -> WebResponse {
    var response = response
    let headers = [
      "Content-Security-Policy": Self.policy, "X-Content-Type-Options": "nosniff",
      "Referrer-Policy": "no-referrer", "Cross-Origin-Resource-Policy": "same-origin",
      "Cross-Origin-Opener-Policy": "same-origin", "Cache-Control": "no-store",
    ]
    response.headers.merge(headers) { own, _ in own }
    return response
  }

  private static func response(to refusal: Inventory.Refusal) -> WebResponse {
    switch refusal {
    case .gone: .sentence(404, "That item was deleted.")
    case .conflict(let item):
      WebResponse(
        status: 409, "application/json", (try? JSONEncoder().encode(item)) ?? Data())
    case .unsaved(let sentence):
      .sentence(507, "The change is not on the disk yet. \(sentence)")
    }
  }
}
