extension ItemValue {
  /// The value as a binary property list, in which it is the only element of an array.
  package var listBytes: [UInt8] { BinaryListWriter.bytes(of: [.value(self)]) }

  /// - Returns: nil where the bytes are not what ``listBytes`` makes.
  package init?(listBytes: [UInt8]) {
    guard var reader = try? BinaryListReader(listBytes),
      case .list(let values)? = try? reader.root(), values.count == 1
    else { return nil }
    self = values[0]
  }

  /// Why the value is no item; a sentence.
  package var defect: String {
    switch StoredElement(self, dates: nil) {
    case .item: "It was no item for the version that has kept it."
    case .defective(_, let defect): defect.reason
    case .value: "It is no dictionary."
    }
  }
}
