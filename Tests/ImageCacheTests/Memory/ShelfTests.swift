import TestSupport
import Testing

@testable import ImageCache

@Suite(.timeLimit(.minutes(1)))
struct ShelfTests {
  /// Few tags, so that most keys have neighbours with the same one, and all of the buckets'
  /// shifting happens.
  @Test(arguments: [UInt32(1), 3, 7, 64, .max], [UInt64(1), 2, 3])
  func agreesWithADictionary(tags: UInt32, seed: UInt64) {
    var random = StoredSample.Generator(state: seed)
    let shelf = Shelf()
    var model: [String: (token: Token, node: Int32)] = [:]
    func tag(_ key: String) -> UInt32 {
      // The tag is the key's in all calls, near the end of the table as well.
      UInt32(truncatingIfNeeded: key.utf8.reduce(5381) { $0 &* 33 &+ Int($1) }) % tags &- 2
    }
    for step in 0..<3000 {
      let key = "\(random.below(step < 1500 ? 300 : 40))"
      switch (random.below(3), model[key]) {
      case (0, nil):
        let token = Token()
        shelf.insert(key, tag(key), token, node: Int32(step))
        model[key] = (token, Int32(step))
      case (0, let known?):
        let token = Token()
        let old = shelf.replace(known.node, tag(key), with: token, node: Int32(step))
        #expect(old === known.token)
        model[key] = (token, Int32(step))
      case (1, let known?):
        #expect(shelf.remove(known.node, tag(key)) === known.token)
        #expect(shelf.remove(known.node, tag(key)) == nil)
        model[key] = nil
      default:
        #expect(shelf.use(key, tag(key)) === model[key]?.token)
        #expect(shelf.node(of: key, tag(key)) == model[key]?.node)
      }
      #expect(shelf.count == model.count)
    }
    for (key, known) in model { #expect(shelf.use(key, tag(key)) === known.token) }
    let old = shelf.removeAll()
    #expect(old.count == model.count)
    #expect(shelf.count == 0)
    #expect(model.keys.allSatisfy { shelf.use($0, tag($0)) == nil })
  }

  @Test func takesANewValueForAUse() {
    let shelf = Shelf()
    shelf.insert("key", 5, Token(), node: 7)
    _ = shelf.replace(7, 5, with: Token(), node: 8)
    #expect(shelf.removeUnused(8, 5) == nil)
    #expect(shelf.removeUnused(8, 5) != nil)
  }

  @Test func keepsWhatWasUsedOnce() {
    let shelf = Shelf()
    shelf.insert("key", 5, Token(), node: 7)
    _ = shelf.use("key", 5)
    #expect(shelf.removeUnused(7, 5) == nil)
    #expect(shelf.removeUnused(7, 5) != nil)
    #expect(shelf.use("key", 5) == nil)
  }
}
