/// Keeps the newest of a flow of things, and says when somebody is to look at it.
///
/// At most one is kept, and at most one worker is at work: one that is still busy when more come
/// finds the newest of them when it asks again.
struct NewestOnly<Element> {
  /// The newest; nil before the first one and after the end.
  private(set) var newest: Element?
  /// Counts all that came, from 1.
  private(set) var number: UInt64 = 0
  private var handedOut: UInt64 = 0
  private var isWorking = false

  /// Takes the next one in place of the one before.
  mutating func put(_ element: Element) {
    newest = element
    number += 1
  }

  /// Lets go of what is kept; numbers go on.
  mutating func clear() { newest = nil }

  /// Whether a worker is to be started; it must call ``next()`` until there is none.
  mutating func startsWorker() -> Bool {
    guard !isWorking, newest != nil, handedOut != number else { return false }
    isWorking = true
    return true
  }

  /// What the worker is to do now; nil ends its work.
  mutating func next() -> (element: Element, number: UInt64)? {
    guard let newest, handedOut != number else {
      isWorking = false
      return nil
    }
    handedOut = number
    return (newest, number)
  }
}
