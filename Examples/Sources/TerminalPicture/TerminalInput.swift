/// What comes from a terminal.
enum TerminalReply: Hashable, Sendable {
  /// A byte that was typed.
  case byte(UInt8)
  /// The Escape key.
  case escape
  /// A control sequence, as `CSI ? 2026 ; 2 $ y`: also what arrow keys send.
  case control(marker: UInt8?, parameters: [Int], final: UInt8)
  /// A string: `_` of an application, `P` of the device, `]` of the operating system.
  case string(kind: UInt8, bytes: [UInt8])
}

/// Takes apart what comes from a terminal: keys, and the answers to questions.
struct TerminalInput: Sendable {
  private enum State: Equatable {
    case ground
    case escape
    case control([UInt8])
    case oneMore
    case string(kind: UInt8, bytes: [UInt8])
    case stringEscape(kind: UInt8, bytes: [UInt8])
  }

  private static let escapeByte: UInt8 = 0x1B
  private static let longest = 4096
  private var state = State.ground

  /// Whether something has been begun that may go on.
  var isWaiting: Bool { state != .ground }

  /// Whether an escape has come that may be the key, or the begin of something.
  var mayBeEscapeKey: Bool { state == .escape }

  /// Takes what has come.
  mutating func take(_ bytes: some Sequence<UInt8>) -> [TerminalReply] {
    bytes.compactMap { take($0) }
  }

  /// Says that nothing has followed for a while: what has been begun does not end any more, as where
  /// Alt and a bracket were pressed.
  mutating func pause() -> TerminalReply? {
    defer { state = .ground }
    return mayBeEscapeKey ? .escape : nil
  }

  private mutating func take(_ byte: UInt8) -> TerminalReply? {
    switch state {
    case .ground:
      guard byte == Self.escapeByte else { return .byte(byte) }
      state = .escape
    case .escape: return takeAfterEscape(byte)
    case .control(let bytes): return takeControl(byte, after: bytes)
    case .oneMore:
      state = .ground
      // Arrows of a terminal in the mode for applications; F1 to F4 are nothing here.
      guard TerminalMotion(parameters: [], final: byte) != nil else { return nil }
      return .control(marker: nil, parameters: [], final: byte)
    case .string(let kind, var bytes):
      if byte == 0x07 { return end(kind, bytes) }
      if byte == Self.escapeByte {
        state = .stringEscape(kind: kind, bytes: bytes)
      } else {
        if bytes.count < Self.longest { bytes.append(byte) }
        state = .string(kind: kind, bytes: bytes)
      }
    case .stringEscape(let kind, let bytes):
      if byte == UInt8(ascii: "\\") { return end(kind, bytes) }
      state = .escape
      return takeAfterEscape(byte)
    }
    return nil
  }

  private mutating func takeAfterEscape(_ byte: UInt8) -> TerminalReply? {
    switch byte {
    case UInt8(ascii: "["): state = .control([])
    case UInt8(ascii: "O"): state = .oneMore
    case UInt8(ascii: "_"), UInt8(ascii: "P"), UInt8(ascii: "]"):
      state = .string(kind: byte, bytes: [])
    case Self.escapeByte: return .escape
    default:
      // A key that is held together with Alt.
      state = .ground
      return .byte(byte)
    }
    return nil
  }

  private mutating func takeControl(_ byte: UInt8, after bytes: [UInt8]) -> TerminalReply? {
    switch byte {
    case 0x20...0x3F where bytes.count < Self.longest:
      state = .control(bytes + [byte])
      return nil
    case 0x40...0x7E:
      state = .ground
      let marker = bytes.first.flatMap { (0x3C...0x3F).contains($0) ? $0 : nil }
      let text = bytes.drop { $0 == marker }.prefix { (0x30...0x3B).contains($0) }
      let parameters = text.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
        .map { Int(String(decoding: $0, as: UTF8.self)) ?? 0 }
      return .control(
        marker: marker, parameters: text.isEmpty ? [] : parameters, final: byte)
    case Self.escapeByte: state = .escape
    default: state = .ground
    }
    return nil
  }

  private mutating func end(_ kind: UInt8, _ bytes: [UInt8]) -> TerminalReply {
    state = .ground
    return .string(kind: kind, bytes: bytes)
  }
}
