/// One value for each of a session's inputs.
///
/// There is a handful of them: looking through an array is quicker than a dictionary, above all the
/// first time in a process.
struct InputTable<Value: Sendable>: Sendable {
  private var entries: [(input: ObjectIdentifier, value: Value)] = []

  /// The values, in no particular order.
  var values: [Value] { entries.map(\.value) }

  /// The value of an input; nil where it has none.
  subscript(input: ObjectIdentifier) -> Value? {
    get { entries.first { $0.input == input }?.value }
    set {
      entries.removeAll { $0.input == input }
      if let newValue { entries.append((input, newValue)) }
    }
  }

  /// Takes away what is not of some inputs.
  ///
  /// - Returns: The values taken away.
  mutating func keep(_ inputs: [CaptureDeviceInput]) -> [Value] {
    let isGone = { (id: ObjectIdentifier) in !inputs.contains { ObjectIdentifier($0) == id } }
    let departed = entries.filter { isGone($0.input) }.map(\.value)
    entries.removeAll { isGone($0.input) }
    return departed
  }
}
