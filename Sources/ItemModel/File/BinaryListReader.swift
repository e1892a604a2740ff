import Foundation

/// Reads a binary property list: Apple's `bplist00`, as CFBinaryPList.c describes it.
///
/// Foundation's reader takes ten times as long, and does not tell 2 from 2.0. Every offset and
/// count is checked: the file may be anything.
struct BinaryListReader {
  static let signature = Array("bplist00".utf8)
  private static let trailerSize = 32
  /// What an element costs of the budget: it takes much room.
  private static let elementCost = 16

  private let bytes: [UInt8]
  private let offsetSize: Int
  private let referenceSize: Int
  private let objectCount: Int
  private let top: Int
  private let table: Int
  /// References that may still be followed: objects that stand in each other many times
  /// would make a small file endless.
  private var budget: Int
  private var texts: [Int: String] = [:]
  private var datas: [Int: Data] = [:]
  private var keys: [Int: Key] = [:]

  private enum Key {
    case known(Item.CodingKeys)
    case unknown(String)
  }

  init(_ bytes: [UInt8]) throws(ListDamage) {
    guard bytes.count >= Self.signature.count + Self.trailerSize,
      bytes.starts(with: Self.signature)
    else { throw ListDamage("It is cut off.") }
    let trailer = bytes.count - Self.trailerSize
    self.bytes = bytes
    offsetSize = Int(bytes[trailer + 6])
    referenceSize = Int(bytes[trailer + 7])
    let numbers = [8, 16, 24].map { start in
      bytes[(trailer + start)..<(trailer + start + 8)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    }
    objectCount = Int(clamping: numbers[0])
    top = Int(clamping: numbers[1])
    table = Int(clamping: numbers[2])
    budget = max(2 * bytes.count, 1 << 20)
    let (size, overflow) = objectCount.multipliedReportingOverflow(by: offsetSize)
    guard !overflow, (1...8).contains(offsetSize), (1...8).contains(referenceSize),
      top < objectCount, table >= Self.signature.count, table <= trailer, size <= trailer - table
    else { throw ListDamage("Its end is damaged.") }
  }

  /// The value at the root.
  mutating func root() throws(ListDamage) -> ItemValue { try value(top, depth: 0) }

  /// The elements of the list at the root, read one after the other; nil where there is no list.
  mutating func elements() throws(ListDamage) -> [StoredElement]? {
    let start = try offset(of: top)
    guard bytes[start] >> 4 == 0xA else { return nil }
    let (count, first) = try count(at: start, size: referenceSize)
    var elements: [StoredElement] = []
    elements.reserveCapacity(min(count, budget / Self.elementCost))
    for index in 0..<count {
      elements.append(try element(reference(first, index)))
    }
    return elements
  }

  private mutating func element(_ object: Int) throws(ListDamage) -> StoredElement {
    budget -= Self.elementCost
    let start = try offset(of: object)
    guard bytes[start] >> 4 == 0xD else { return .value(try value(object, depth: 1)) }
    let (count, first) = try count(at: start, size: 2 * referenceSize)
    var fields = ItemFields()
    for index in 0..<count {
      let value = try value(reference(first, count + index), depth: 2)
      switch try key(reference(first, index)) {
      case .known(let key): fields.set(key, to: value)
      case .unknown(let name): fields.set(unknown: name, to: value)
      }
    }
    do {
      return .item(try fields.item(dates: nil))
    } catch {
      return .defective(try value(object, depth: 1), error)
    }
  }
}

// MARK: - Objects

extension BinaryListReader {
  private mutating func value(_ object: Int, depth: Int) throws(ListDamage) -> ItemValue {
    budget -= 1
    guard depth < ItemValue.maximumDepth else {
      throw ListDamage("Its values lie too deep in each other.")
    }
    guard budget > 0 else { throw ListDamage("Its values stand in each other too often.") }
    let start = try offset(of: object)
    let marker = bytes[start]
    switch marker {
    case 0x00: return .null
    case 0x08: return .bool(false)
    case 0x09: return .bool(true)
    case 0x10...0x14: return try integer(at: start)
    case 0x22:
      return .real(Double(Float(bitPattern: UInt32(truncatingIfNeeded: try number(start + 1, 4)))))
    case 0x23: return .real(Double(bitPattern: try number(start + 1, 8)))
    case 0x33:
      let seconds = Double(bitPattern: try number(start + 1, 8))
      return .date(Date(timeIntervalSinceReferenceDate: seconds))
    case 0x40...0x4F:
      if let data = datas[object] { return .data(data) }
      let (count, first) = try count(at: start, size: 1)
      let data = Data(bytes[first..<first + count])
      datas[object] = data
      return .data(data)
    case 0x50...0x7F: return .text(try text(object, at: start, isShared: depth > 2))
    case 0xA0...0xAF:
      let (count, first) = try count(at: start, size: referenceSize)
      var values: [ItemValue] = []
      for index in 0..<count {
        values.append(try value(reference(first, index), depth: depth + 1))
      }
      return .list(values)
    case 0xD0...0xDF:
      let (count, first) = try count(at: start, size: 2 * referenceSize)
      var values: [String: ItemValue] = [:]
      for index in 0..<count {
        let key = reference(first, index)
        let name = try text(key, at: offset(of: key), isShared: true)
        values[name] = try value(reference(first, count + index), depth: depth + 1)
      }
      return .fields(values)
    default: throw ListDamage("It has a value of an unknown type.")
    }
  }

  private mutating func key(_ object: Int) throws(ListDamage) -> Key {
    if let key = keys[object] { return key }
    let name = try text(object, at: offset(of: object), isShared: false)
    let key = Item.CodingKeys(stringValue: name).map(Key.known) ?? .unknown(name)
    keys[object] = key
    return key
  }

  /// Texts that several items share are made once: categories, and long ones, of which a small file
  /// could else hold more than memory does.
  private mutating func text(
    _ object: Int, at start: Int, isShared: Bool
  ) throws(ListDamage) -> String {
    if let text = texts[object] { return text }
    let kind = bytes[start] >> 4
    guard (5...7).contains(kind) else { throw ListDamage("A name in it is no text.") }
    let (count, first) = try count(at: start, size: kind == 6 ? 2 : 1)
    let text: String
    if kind == 6 {
      let units = (0..<count).map { index in
        UInt16(bytes[first + 2 * index]) << 8 | UInt16(bytes[first + 2 * index + 1])
      }
      text = String(decoding: units, as: UTF16.self)
    } else {
      guard let valid = String(validating: bytes[first..<first + count], as: UTF8.self) else {
        throw ListDamage("A text in it is damaged.")
      }
      text = valid
    }
    if isShared || !Self.ownTextLengths.contains(count) { texts[object] = text }
    return text
  }

  /// Of names and keys of items as a rule, which no two items share.
  private static let ownTextLengths = 13..<64

  private func integer(at start: Int) throws(ListDamage) -> ItemValue {
    let size = 1 << Int(bytes[start] & 0xF)
    guard size == 16 else {
      let number = try number(start + 1, size)
      // Eight bytes have a sign, fewer have none.
      return .integer(Int64(bitPattern: number))
    }
    let (high, low) = (try number(start + 1, 8), try number(start + 9, 8))
    if high == 0 { return Int64(exactly: low).map(ItemValue.integer) ?? .unsigned(low) }
    guard high == .max, Int64(bitPattern: low) < 0 else {
      throw ListDamage("It has a number that is too large.")
    }
    return .integer(Int64(bitPattern: low))
  }
}

// MARK: - Bytes

extension BinaryListReader {
  /// Where an object begins; its first byte is there.
  private func offset(of object: Int) throws(ListDamage) -> Int {
    guard object < objectCount else { throw ListDamage("It refers to what is not there.") }
    let start = table + object * offsetSize
    var offset: UInt64 = 0
    for index in start..<start + offsetSize { offset = offset << 8 | UInt64(bytes[index]) }
    guard offset >= Self.signature.count, offset < table else {
      throw ListDamage("It refers to what is not there.")
    }
    return Int(offset)
  }

  /// The object that stands at `index` of a container; ``count(at:size:)`` has checked the place.
  private func reference(_ first: Int, _ index: Int) -> Int {
    let start = first + index * referenceSize
    var object: UInt64 = 0
    for place in start..<start + referenceSize { object = object << 8 | UInt64(bytes[place]) }
    return Int(clamping: object)
  }

  /// How many elements of `size` bytes an object has, all of which are there, and where they begin.
  private func count(at start: Int, size: Int) throws(ListDamage) -> (count: Int, first: Int) {
    var (count, first) = (Int(bytes[start] & 0xF), start + 1)
    if count == 0xF {
      guard first < table, (0x10...0x13).contains(bytes[first]) else {
        throw ListDamage("It has a value of an unknown length.")
      }
      let width = 1 << Int(bytes[first] & 0xF)
      count = Int(clamping: try number(first + 1, width))
      first += 1 + width
    }
    let (byteCount, overflow) = count.multipliedReportingOverflow(by: size)
    guard !overflow, byteCount <= table - first else {
      throw ListDamage("It has a value that is longer than the file.")
    }
    return (count, first)
  }

  private func number(_ start: Int, _ size: Int) throws(ListDamage) -> UInt64 {
    guard start + size <= table else { throw ListDamage("It is cut off.") }
    var number: UInt64 = 0
    for index in start..<start + size { number = number << 8 | UInt64(bytes[index]) }
    return number
  }
}
