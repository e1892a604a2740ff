/// Names for cameras that outlast a restart, which `/dev/video0` does not.
///
/// | device | name |
/// |---|---|
/// | USB, with a serial number of its own | `usb-046d:0825-ABC123`, at any port |
/// | USB, without one or with one that several say | `usb-046d:0825-SN0001@1-1.2`, bound to the port |
/// | PCI, platform | `pci-0000:00:14.3`, `platform-vivid.0` |
/// | no hardware | `virtual-video8` |
/// | unknown to sysfs | `path-/dev/fakevideo` |
///
/// A device's first node has the device's name; the others have interface and index appended,
/// `#2.0`, or the index alone where there are no interfaces, `#1`. All of it comes from sysfs, so
/// that the names do not depend on which nodes may be opened.
package enum StableIDs {
  /// Names nodes; the same nodes get the same names, in whatever order they come.
  /// - Parameter nodes: All nodes of the machine by their names, `video0`.
  /// - Returns: The names by the same keys, no two the same.
  package static func assign(to nodes: [String: DeviceIdentity]) -> [String: String] {
    let devices = Dictionary(grouping: nodes) { $0.value.devicePath ?? $0.key }
    let names = devices.compactMapValues { $0.first.map { name(of: $0.value, node: $0.key) } }
    let shared = Dictionary(grouping: names.values) { $0 }.filter { $0.value.count > 1 }
    var result: [String: String] = [:]
    for (device, nodes) in devices {
      guard var name = names[device] else { continue }
      if let identity = nodes.first?.value, case .usb = identity.bus,
        identity.serialNumber == nil || shared[name] != nil
      {
        name += "@\(clean(identity.port ?? "?"))"
      }
      let sorted = nodes.sorted { order($0) < order($1) }
      for (position, node) in sorted.enumerated() {
        result[node.key] = position == 0 ? name : name + suffix(node.value)
      }
    }
    return distinct(result)
  }

  /// Whether two names, given at different times, may be the same device's: the port is part of a
  /// name only while the serial number alone does not tell the device from others. Only USB's names
  /// have one; other sources of pictures may use the same signs for something else.
  package static func mayBeSameDevice(_ one: String, _ other: String) -> Bool {
    guard one != other else { return true }
    guard one.hasPrefix(usbPrefix), other.hasPrefix(usbPrefix) else { return false }
    let (first, second) = (withoutPort(one), withoutPort(other))
    return first == second && (first == one || second == other)
  }

  private static let usbPrefix = "usb-"

  private static func withoutPort(_ name: String) -> String {
    guard let at = name.firstIndex(of: "@") else { return name }
    let end = name[at...].firstIndex(of: "#") ?? name.endIndex
    return String(name[..<at] + name[end...])
  }

  /// The name of a node that sysfs does not know.
  package static func name(ofUnknownNodeAt path: String) -> String { "path-\(path)" }

  private static func name(of identity: DeviceIdentity, node: String) -> String {
    let port = clean(identity.port ?? node)
    switch identity.bus {
    case .usb:
      let serial = identity.serialNumber.map { "-" + clean($0) } ?? ""
      return "\(usbPrefix)\(hex(identity.vendorID)):\(hex(identity.productID))\(serial)"
    case .pci: return "pci-\(port)"
    case .platform: return "platform-\(port)"
    case .virtual: return "virtual-\(port)"
    case .unknown: return "device-\(port)"
    }
  }

  private static func suffix(_ identity: DeviceIdentity) -> String {
    let index = identity.index ?? 0
    return identity.interfaceNumber.map { "#\($0).\(index)" } ?? "#\(index)"
  }

  private typealias Order = (UInt8, UInt32, Int, String)

  private static func order(_ node: (key: String, value: DeviceIdentity)) -> Order {
    // By length first: video10 comes after video9.
    (node.value.interfaceNumber ?? 0, node.value.index ?? 0, node.key.utf8.count, node.key)
  }

  /// Tells apart what is the same after all, by the only thing that is left: the node.
  private static func distinct(_ names: [String: String]) -> [String: String] {
    var taken: Set<String> = []
    var result: [String: String] = [:]
    for (node, name) in names.sorted(by: {
      ($0.key.utf8.count, $0.key) < ($1.key.utf8.count, $1.key)
    }) {
      result[node] = taken.insert(name).inserted ? name : "\(name)#\(node)"
    }
    return result
  }

  private static func hex(_ number: UInt16?) -> String {
    let digits = String(number ?? 0, radix: 16)
    return String(repeating: "0", count: 4 - digits.count) + digits
  }

  /// Keeps what cannot be mistaken for the name's own punctuation or trouble a command line.
  private static func clean(_ text: String) -> String {
    let kept = text.unicodeScalars.prefix(64).map { scalar -> Character in
      let isPlain =
        scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
      return isPlain || "-._:+".unicodeScalars.contains(scalar) ? Character(scalar) : "_"
    }
    return String(kept)
  }
}
