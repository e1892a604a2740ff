/// One value for each of a session's inputs.
///
/// There is a handful of them: looking through an array is quicker than a dictionary, above all the first time
/// in a process.
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
}
