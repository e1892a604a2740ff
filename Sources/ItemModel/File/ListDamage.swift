/// Why the bytes of a file are no property list; a sentence.
struct ListDamage: Error, Hashable {
  var reason: String

  init(_ reason: String) { self.reason = reason }
}
