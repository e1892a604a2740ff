import Foundation

/// Writes items as a binary property list, which Foundation, macOS's tools and Python read.
struct BinaryListWriter {
  private var bytes = BinaryListReader.signature
  private var offsets: [Int] = []
  private let referenceSize: Int
  /// Texts that are written once and referred to: names of values, categories.
  private var shared: [String: Int] = [:]

  /// - Parameter elements: The list's elements in their order.
  /// - Returns: The file.
  static func bytes(of elements: [StoredElement]) -> [UInt8] {
    // At least as many objects as there will be: shared ones are counted more than once.
    let bound = elements.reduce(1) { $0 + $1.objectCount }
    var writer = BinaryListWriter(objectCount: bound)
    writer.bytes.reserveCapacity(elements.count * 160 + 64)
    let references = elements.map { writer.add($0) }
    writer.addContainer(0xA0, count: references.count, references)
    return writer.finished()
  }

  private init(objectCount: Int) { referenceSize = Self.size(of: objectCount) }

  private static func size(of number: Int) -> Int {
    number < 1 << 8 ? 1 : number < 1 << 16 ? 2 : number < 1 << 32 ? 4 : 8
  }

  private func finished() -> [UInt8] {
    var bytes = bytes
    let table = bytes.count
    let offsetSize = Self.size(of: table)
    bytes.reserveCapacity(table + offsets.count * offsetSize + 32)
    for offset in offsets { Self.append(UInt64(offset), offsetSize, to: &bytes) }
    bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)]
    // The root comes after all that it refers to.
    for number in [offsets.count, offsets.count - 1, table] {
      Self.append(UInt64(number), 8, to: &bytes)
    }
    return bytes
  }
}

// MARK: - Objects

extension BinaryListWriter {
  private mutating func add(_ element: StoredElement) -> Int {
    switch element {
    case .item(let item): add(item)
    case .value(let value), .defective(let value, _): add(value)
    }
  }

  private mutating func add(_ item: Item) -> Int {
    var names: [Int] = []
    var values: [Int] = []
    names.reserveCapacity(12)
    values.reserveCapacity(6)
    // A known value stands in the place of an unknown one of its name.
    for (name, value) in item.unknownValues where Item.CodingKeys(stringValue: name) == nil {
      names.append(addWord(name))
      values.append(add(value))
    }
    names.append(addShared("name"))
    values.append(add(text: item.name))
    names.append(addShared("valueInDollars"))
    values.append(add(integer: Int64(item.valueInDollars)))
    if let serialNumber = item.serialNumber {
      names.append(addShared("serialNumber"))
      values.append(add(text: serialNumber))
    }
    names.append(addShared("dateCreated"))
    values.append(add(0x33, item.dateCreated.timeIntervalSinceReferenceDate.bitPattern))
    names.append(addShared("category"))
    values.append(addWord(item.category.rawValue))
    names.append(addShared("itemKey"))
    values.append(add(text: item.itemKey))
    return addContainer(0xD0, count: values.count, names + values)
  }

  @discardableResult
  private mutating func add(_ value: ItemValue) -> Int {
    switch value {
    // Property lists have a byte for null that Foundation does not write, and some do not read.
    case .null: return addShared("$null")
    case .bool(let value):
      begin()
      bytes.append(value ? 0x09 : 0x08)
      return offsets.count - 1
    case .integer(let value): return add(integer: value)
    case .unsigned(let value):
      begin()
      bytes.append(0x14)
      Self.append(0, 8, to: &bytes)
      Self.append(value, 8, to: &bytes)
      return offsets.count - 1
    case .real(let value): return add(0x23, value.bitPattern)
    case .date(let value): return add(0x33, value.timeIntervalSinceReferenceDate.bitPattern)
    case .data(let value):
      begin()
      appendMarker(0x40, count: value.count)
      bytes.append(contentsOf: value)
      return offsets.count - 1
    case .text(let value): return add(text: value)
    case .list(let values):
      let references = values.map { add($0) }
      return addContainer(0xA0, count: references.count, references)
    case .fields(let fields):
      let names = fields.keys.map { addWord($0) }
      let values = fields.values.map { add($0) }
      return addContainer(0xD0, count: names.count, names + values)
    }
  }

  /// Texts that Swift takes for equal may be other characters, except those of ASCII.
  private mutating func addWord(_ text: String) -> Int {
    text.utf8.allSatisfy { $0 < 128 } ? addShared(text) : add(text: text)
  }

  private mutating func addShared(_ text: String) -> Int {
    if let object = shared[text] { return object }
    let object = add(text: text)
    shared[text] = object
    return object
  }

  private mutating func add(text: String) -> Int {
    begin()
    let count = text.utf8.count
    // In both of its forms the count is that of UTF-16.
    if text.utf16.count == count {
      appendMarker(0x50, count: count)
      bytes.append(contentsOf: text.utf8)
    } else {
      appendMarker(0x60, count: text.utf16.count)
      for unit in text.utf16 { Self.append(UInt64(unit), 2, to: &bytes) }
    }
    return offsets.count - 1
  }

  private mutating func add(integer: Int64) -> Int {
    begin()
    appendInteger(integer)
    return offsets.count - 1
  }

  private mutating func add(_ marker: UInt8, _ bits: UInt64) -> Int {
    begin()
    bytes.append(marker)
    Self.append(bits, 8, to: &bytes)
    return offsets.count - 1
  }

  @discardableResult
  private mutating func addContainer(_ marker: UInt8, count: Int, _ references: [Int]) -> Int {
    begin()
    appendMarker(marker, count: count)
    for reference in references { Self.append(UInt64(reference), referenceSize, to: &bytes) }
    return offsets.count - 1
  }

  private mutating func begin() { offsets.append(bytes.count) }

  private mutating func appendMarker(_ marker: UInt8, count: Int) {
    guard count >= 15 else { return bytes.append(marker | UInt8(count)) }
    bytes.append(marker | 0xF)
    appendInteger(Int64(count))
  }

  private mutating func appendInteger(_ number: Int64) {
    // Only eight bytes have a sign.
    let size = number < 0 ? 8 : Self.size(of: Int(number))
    bytes.append(0x10 | UInt8(size.trailingZeroBitCount))
    Self.append(UInt64(bitPattern: number), size, to: &bytes)
  }

  private static func append(_ number: UInt64, _ size: Int, to bytes: inout [UInt8]) {
    for shift in stride(from: 8 * (size - 1), through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
    }
  }
}

// MARK: - Counting

extension StoredElement {
  fileprivate var objectCount: Int {
    switch self {
    case .item(let item):
      13 + item.unknownValues.values.reduce(0) { $0 + 1 + $1.objectCount }
    case .value(let value), .defective(let value, _): value.objectCount
    }
  }
}

extension ItemValue {
  fileprivate var objectCount: Int {
    switch self {
    case .list(let values): values.reduce(1) { $0 + $1.objectCount }
    case .fields(let fields): fields.values.reduce(1) { $0 + 1 + $1.objectCount }
    default: 1
    }
  }
}
