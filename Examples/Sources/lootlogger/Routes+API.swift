import ExampleSupport
import Foundation
import Imaging
import WebServer

// What pages ask for and do, as JSON.
extension Routes {
  /// Several items at one time.
  private static let itemLimit = 10_000

  private struct Move: Decodable { let index: Int }

  private struct Choice: Decodable {
    struct Part: Decodable { let x, y, width, height: Int }
    let draft: String
    let crop: Part?
  }

  private struct Created: Encodable { let key: String? }

  func answerOfItems(_ request: WebRequest, _ parts: [String]) async throws -> WebResponse {
    let key = parts.first ?? ""
    switch (request.method, parts.count, parts.last) {
    case ("GET", 0, _):
      return WebResponse("application/json", try await inventory.everything())
    case ("POST", 0, _): return try await create(request)
    case ("PATCH", 1, _):
      let edit = try Self.read(ItemEdit.self, request)
      if let objection = edit.set.objection { return .sentence(422, objection) }
      try await inventory.update(key, edit)
    case ("DELETE", 1, _): try await inventory.remove(key)
    case ("POST", 2, "move"):
      try await inventory.move(key, to: Self.read(Move.self, request).index)
    case ("POST", 2, "picture"):
      return try await use(Self.read(Choice.self, request), for: key)
    case ("DELETE", 2, "picture"): try await inventory.setPicture(nil, of: key)
    case ("GET", 2, "picture"): return try await picture(of: key, maxPixelSize: nil)
    case ("GET", 2, "thumbnail"): return try await picture(of: key, maxPixelSize: 96)
    default: return parts.count > 2 ? Self.nothing : Self.wrongMethod
    }
    return WebResponse(status: 204)
  }

  private func create(_ request: WebRequest) async throws -> WebResponse {
    let isList = request.body.first { $0 > 0x20 } == UInt8(ascii: "[")
    let values =
      isList
      ? try Self.read([ItemEdit.Values].self, request)
      : [try Self.read(ItemEdit.Values.self, request)]
    guard values.count <= Self.itemLimit else {
      return .sentence(422, "No more than \(Self.itemLimit) items at one time.")
    }
    for value in values {
      if let objection = value.objection { return .sentence(422, objection) }
    }
    return try Self.json(Created(key: await inventory.create(values)), status: 201)
  }

  // MARK: - Pictures

  private func use(_ choice: Choice, for key: String) async throws -> WebResponse {
    guard let image = drafts.image(choice.draft) else {
      return .sentence(410, "That picture has been put away meanwhile: choose it again.")
    }
    let crop = choice.crop.map { PixelRect(x: $0.x, y: $0.y, width: $0.width, height: $0.height) }
    try await inventory.setPicture(crop.map { try image.part($0) } ?? image, of: key)
    drafts.remove(choice.draft)
    return WebResponse(status: 204)
  }

  private func picture(of key: String, maxPixelSize: Int?) async throws -> WebResponse {
    guard let image = try await inventory.picture(of: key, maxPixelSize: maxPixelSize) else {
      return Self.nothing
    }
    return Self.response(showing: image)
  }

  /// The page asks for each picture by an address of its own, which never shows another one.
  private static func response(showing image: Image) -> WebResponse {
    guard let data = image.encodedData ?? image.jpegData(compressionQuality: 0.8) else {
      return nothing
    }
    return WebResponse(
      headers: [
        "Content-Type": (image.format ?? .jpeg).mediaType,
        "Cache-Control": "private, max-age=31536000, immutable",
      ], body: data)
  }

  func answerOfDrafts(_ request: WebRequest, _ parts: [String]) throws -> WebResponse {
    switch (request.method, parts.count) {
    case ("POST", 0):
      guard ImageFormat(recognizing: request.body.bytes) != nil else {
        return .sentence(415, "That file is no picture: choose a JPEG or PNG file.")
      }
      return try Self.json(drafts.add(request.body), status: 201)
    case ("GET", 1): return drafts.image(parts[0]).map(Self.response) ?? Self.nothing
    case ("DELETE", 1):
      drafts.remove(parts[0])
      return WebResponse(status: 204)
    default: return parts.count > 1 ? Self.nothing : Self.wrongMethod
    }
  }

  // MARK: - Camera

  func answerOfCamera(_ request: WebRequest, _ parts: [String]) async throws -> WebResponse {
    switch (request.method, parts) {
    case ("GET", []): return try Self.json(await camera.status())
    case ("POST", ["photo"]):
      do {
        return try Self.json(drafts.add(await camera.takePhoto()), status: 201)
      } catch {
        return .sentence(503, "No photo was taken. \(Failure(error).sentence)")
      }
    default: return Self.wrongMethod
    }
  }

  // MARK: - JSON

  private static func read<Value: Decodable>(
    _ type: Value.Type, _ request: WebRequest
  ) throws -> Value {
    try JSONDecoder().decode(type, from: request.body)
  }

  private static func json(_ value: some Encodable, status: Int = 200) throws -> WebResponse {
    WebResponse(status: status, "application/json", try JSONEncoder().encode(value))
  }
}
