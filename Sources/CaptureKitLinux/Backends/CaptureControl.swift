/// A setting of a camera, as its driver describes it now: exposure, focus, the power line's
/// frequency.
///
/// Names, numbers and meaning are those of Video4Linux, whichever backend the camera has. What is
/// allowed may change: a control that an automatic one governs is inactive, and the longest
/// exposure depends on the frame duration. So ask for it when you need it, and do not keep it.
///
/// ```swift
/// for control in device.controls where control.kind == .menu {
///   print(control.name, control.menu.map(\.name))
/// }
/// ```
public struct CaptureControl: Hashable, Sendable, Identifiable {
  /// What the control is known by.
  public let id: ID
  /// Its name for people, as the driver spells it; never empty.
  public let name: String
  /// What its values are.
  public let kind: Kind
  /// The lowest and the highest value; the numbers of the first and the last item of a menu, all
  /// bits of a bitmask, the lengths in bytes of a string.
  public let range: ClosedRange<Int64>
  /// Values count from the lowest in steps of this, at least 1.
  public let step: Int64
  /// The value after the camera was plugged in; nil where there is none, as with buttons and
  /// strings.
  public let defaultValue: Int64?
  /// The items of a menu, in order; their numbers may have gaps.
  public let menu: [MenuItem]
  /// What can be done with it now.
  public let flags: Flags

  /// Describes a control; for backends of your own.
  ///
  /// - Parameters:
  ///   - id: What it is known by.
  ///   - name: Its name for people; an empty one is replaced by its number.
  ///   - kind: What its values are.
  ///   - range: The lowest and the highest value.
  ///   - step: What values grow by; less than 1 counts as 1.
  ///   - defaultValue: The value after the camera was plugged in.
  ///   - menu: The items of a menu.
  ///   - flags: What can be done with it.
  public init(
    _ id: ID, name: String, kind: Kind = .integer, range: ClosedRange<Int64> = 0...1,
    step: Int64 = 1, defaultValue: Int64? = nil, menu: [MenuItem] = [], flags: Flags = []
  ) {
    self.id = id
    self.name = name.isEmpty ? "\(id)" : name
    self.kind = kind
    self.range = range
    self.step = max(step, 1)
    self.defaultValue = defaultValue
    self.menu = menu
    self.flags = flags
  }
}

// MARK: - Parts

extension CaptureControl {
  /// What a control's values are.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// A whole number of 32 bits.
    case integer
    /// 0 or 1.
    case boolean
    /// The number of an item with a name.
    case menu
    /// The number of an item that stands for a number.
    case integerMenu
    /// Bits, each with a meaning of its own.
    case bitmask
    /// No value: setting it does something.
    case button
    /// A whole number of 64 bits.
    case integer64
    /// Text.
    case string
    /// Anything else: arrays and structures. Listed, and neither read nor set.
    case compound
  }

  /// An item of a menu.
  public struct MenuItem: Hashable, Sendable {
    /// The control's value when the item is chosen.
    public let index: Int64
    /// Its name for people; the number itself in a menu of numbers. Never empty.
    public let name: String
    /// What the item of an `integerMenu` stands for; nil in other menus.
    public let number: Int64?

    /// An item with a name; an empty one is replaced by its index.
    public init(_ index: Int64, _ name: String) {
      self.index = index
      self.name = name.isEmpty ? "\(index)" : name
      number = nil
    }

    /// An item that stands for a number.
    public init(_ index: Int64, number: Int64) {
      self.index = index
      name = "\(number)"
      self.number = number
    }
  }

  /// What can be done with a control now; V4L2's `V4L2_CTRL_FLAG_…`.
  public struct Flags: OptionSet, Hashable, Sendable {
    /// The kernel's bits.
    public let rawValue: UInt32

    /// Takes the kernel's bits.
    public init(rawValue: UInt32) {
      self.rawValue = rawValue
    }

    /// Never of use with this camera.
    public static let disabled = Flags(rawValue: 0x0001)
    /// Not to be changed now, as something else uses it: often while the camera streams.
    public static let grabbed = Flags(rawValue: 0x0002)
    /// Can be read only.
    public static let readOnly = Flags(rawValue: 0x0004)
    /// A change can change other controls.
    public static let update = Flags(rawValue: 0x0008)
    /// Without effect now, since another control governs it: exposure time while exposure is
    /// automatic.
    public static let inactive = Flags(rawValue: 0x0010)
    /// Best shown as a slider.
    public static let slider = Flags(rawValue: 0x0020)
    /// Can be set only.
    public static let writeOnly = Flags(rawValue: 0x0040)
    /// Changes by itself, without a message.
    public static let volatile = Flags(rawValue: 0x0080)
    /// Its value is not a plain number.
    public static let hasPayload = Flags(rawValue: 0x0100)
    /// Setting the value that it has does something, too.
    public static let executeOnWrite = Flags(rawValue: 0x0200)
    /// A change changes the layout of the frames.
    public static let modifiesLayout = Flags(rawValue: 0x0400)
  }

  /// A control's value together with the control that it is for.
  public struct Setting: Hashable, Sendable, Codable {
    /// The control.
    public var id: ID
    /// Its value.
    public var value: Value

    /// Puts both together.
    public init(_ id: ID, _ value: Value) {
      self.id = id
      self.value = value
    }
  }
}

// MARK: - What it allows

extension CaptureControl {
  /// Whether the value can be read.
  public var isReadable: Bool {
    kind != .button && kind != .compound && flags.isDisjoint(with: [.writeOnly, .disabled])
  }

  /// Whether the control can ever be set; it may be inactive or grabbed now.
  public var isWritable: Bool {
    kind != .compound && flags.isDisjoint(with: [.readOnly, .disabled])
  }

  /// Whether a value is one of the control's: within its range, on a step counted from the lowest
  /// value, an item of its menu.
  public func accepts(_ value: Value) -> Bool {
    switch (kind, value) {
    case (.button, _): true
    case (.string, .text(let text)): range.contains(Int64(text.utf8.count))
    case (.compound, _), (.string, _), (_, .text): false
    case (.bitmask, .integer(let bits)): bits & ~range.upperBound == 0
    case (.menu, .integer(let index)), (.integerMenu, .integer(let index)):
      menu.contains { $0.index == index }
    case (_, .integer(let number)):
      range.contains(number) && nearest(to: number) == number
    }
  }

  /// The number nearest to a wish that the control accepts: within its range and on a step, which
  /// counts from the lowest value.
  public func nearest(to wish: Int64) -> Int64 {
    let clamped = min(max(wish, range.lowerBound), range.upperBound)
    // The ends of 64 bits are further apart than 64 bits reach.
    let distance = clamped.subtractingReportingOverflow(range.lowerBound)
    guard step > 1, !distance.overflow else { return clamped }
    let rest = distance.partialValue % step
    let below = clamped - rest
    guard rest > 0, rest >= step - rest else { return below }
    let above = below.addingReportingOverflow(step)
    return above.overflow || above.partialValue > range.upperBound ? below : above.partialValue
  }
}
