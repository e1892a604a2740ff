import LinuxSystem

extension DeviceIdentity {
  /// Reads which device a node belongs to; nil where sysfs does not know the node.
  ///
  /// The parents are walked rather than the links of `/dev/v4l/by-id` read: those are missing
  /// without udev, and two devices with one serial number fight for one link.
  /// - Parameters:
  ///   - name: Of the node, `video0`.
  ///   - roots: Where sysfs is.
  init?(ofNodeNamed name: String, roots: DeviceRoots) {
    guard let node = FileTree.realPath("\(roots.sys)/class/video4linux/\(name)"),
      let root = FileTree.realPath(roots.sys)
    else { return nil }
    self.init()
    index = FileTree.text(at: node + "/index").flatMap { UInt32($0) }
    guard let device = FileTree.realPath(node + "/device") else {
      bus = node.contains("/devices/virtual/") ? .virtual : .unknown
      port = name
      devicePath = node
      return
    }
    let parents = Array(Self.folders(from: device, to: root))
    if let usb = parents.firstIndex(where: { FileTree.text(at: $0 + "/idVendor") != nil }) {
      readUSB(parents[usb])
      // At a port that anything can be plugged into, it is the side of the port.
      if bus == .usb(.fixed) { panel = Self.panel(ofFolders: Array(parents[...usb])) }
      interfaceNumber = parents.lazy.compactMap { FileTree.text(at: $0 + "/bInterfaceNumber") }
        .first.flatMap { UInt8($0, radix: 16) }
    } else {
      bus = parents.lazy.compactMap(Self.bus).first ?? .unknown
      port = Self.lastPart(of: device)
      devicePath = device
      if bus == .platform { panel = Self.panel(ofFolders: [device]) }
    }
  }

  /// What can be said of a node that sysfs does not know.
  init(busInfo: String) {
    self.init()
    port = busInfo.isEmpty ? nil : busInfo
    if busInfo.hasPrefix("usb-") {
      bus = .usb(.unknown)
    } else if busInfo.hasPrefix("PCI:") {
      bus = .pci
    } else if busInfo.hasPrefix("platform:") {
      bus = .platform
    }
  }

  /// What ACPI's _PLD says, where the kernel passes it on: of the device or of what it is part of.
  private static func panel(ofFolders folders: [String]) -> CameraOrientation? {
    for folder in folders {
      for place in [folder, folder + "/firmware_node", folder + "/port"] {
        switch FileTree.text(at: place + "/physical_location/panel") {
        case "front": return .front
        case "back": return .back
        case nil: continue
        default: return nil
        }
      }
    }
    return nil
  }

  private mutating func readUSB(_ device: String) {
    func attribute(_ name: String) -> String? {
      FileTree.text(at: "\(device)/\(name)").flatMap { $0.isEmpty ? nil : $0 }
    }
    switch attribute("removable") {
    case "fixed": bus = .usb(.fixed)
    case "removable": bus = .usb(.removable)
    default: bus = .usb(.unknown)
    }
    vendorID = attribute("idVendor").flatMap { UInt16($0, radix: 16) }
    productID = attribute("idProduct").flatMap { UInt16($0, radix: 16) }
    serialNumber = attribute("serial")
    manufacturer = attribute("manufacturer")
    product = attribute("product")
    // 1.5 is the slowest there is.
    busSpeed = attribute("speed").flatMap { Double($0) }.flatMap { Int(exactly: $0.rounded()) }
    sendsInBulk = Self.hasBulkVideo(device)
    port = Self.lastPart(of: device)
    devicePath = device
  }

  /// Whether a streaming interface of UVC's class (0e, subclass 02) has a bulk endpoint;
  /// isochronous ones show no endpoint while they rest.
  private static func hasBulkVideo(_ device: String) -> Bool {
    FileTree.names(in: device).contains { name in
      let interface = "\(device)/\(name)"
      guard FileTree.text(at: interface + "/bInterfaceClass") == "0e",
        FileTree.text(at: interface + "/bInterfaceSubClass") == "02"
      else { return false }
      return FileTree.names(in: interface).contains {
        $0.hasPrefix("ep_") && FileTree.text(at: "\(interface)/\($0)/type") == "Bulk"
      }
    }
  }

  private static func bus(ofFolder folder: String) -> DeviceBus? {
    switch FileTree.link(at: folder + "/subsystem").map(lastPart) {
    case "pci": .pci
    case "platform": .platform
    default: nil
    }
  }

  /// A folder and its parents, up to but without the root.
  private static func folders(from folder: String, to root: String) -> some Sequence<String> {
    sequence(first: folder) { folder in
      guard let slash = folder.lastIndex(of: "/") else { return nil }
      return String(folder[..<slash])
    }
    .prefix { $0.hasPrefix(root + "/") }
  }

  private static func lastPart(of path: String) -> String {
    String(path.split(separator: "/").last ?? "")
  }
}
