import LinuxSystem

/// A USB link that a camera shares with other devices for certain, and what is reserved on it, as
/// sysfs says.
///
/// Behind one port of the computer all devices share the port's link. A whole bus is one link only
/// where an EHCI controller drives it: xHCI's ports may each have their own, and virtual ones have no
/// limit at all.
package struct USBLink: Sendable {
  package struct Holder: Hashable, Sendable {
    package let name: String
    package let bytesPerSecond: Int
  }

  /// For people to read, within a sentence.
  package let name: String
  /// What it can promise at most.
  package let bytesPerSecond: Int
  /// What others hold now: each setting but the first that an interface is switched to.
  package let holders: [Holder]
  /// What the camera can reserve.
  package let choices: [Int]

  /// Reads what a camera's link carries; nil where it is no USB camera, sends in bulk, so that it
  /// reserves nothing, or is slower than USB 2.
  init?(of identity: DeviceIdentity, roots: DeviceRoots) {
    guard let device = identity.devicePath, let port = identity.port, !identity.sendsInBulk,
      identity.busSpeed ?? 0 >= 480, let place = Place(device: device, port: port),
      let own = Self.descriptors(of: device)
    else { return nil }
    let streams = own.videoStreams(of: identity.interfaceNumber)
    choices = Set(
      own.isochronous.filter { streams.contains($0.interface) }.map(\.bytesPerSecond)
    ).sorted()
    guard !choices.isEmpty, let speed = Self.speed(of: place.rootPort) else { return nil }
    name = place.name
    bytesPerSecond = Self.capacity(
      megabits: speed, periodicMicroseconds: place.periodicMicroseconds)
    holders = place.devices.flatMap { folder in
      Self.holders(at: folder, except: folder == device ? streams : [])
    }
  }

  /// Of each eighth of a millisecond USB 2 leaves 80 % to reservations, USB 3 90 %; headers and stuffed
  /// bits, which take more of it, are not counted.
  private static func capacity(megabits: Int, periodicMicroseconds: Int?) -> Int {
    guard megabits < 5000 else { return megabits / 5000 * 8000 * 56_250 }
    let microseconds = min(125, max(100, periodicMicroseconds ?? 100))
    return 8000 * 7500 * microseconds / 125
  }

  private static func speed(of folder: String) -> Int? {
    FileTree.text(at: folder + "/speed").flatMap { Double($0) }.flatMap {
      Int(exactly: min($0, 1_000_000).rounded())
    }
  }

  private static func descriptors(of device: String) -> USBDescriptors? {
    guard let speed = speed(of: device), speed >= 480,
      let bytes = try? AtomicFile.read(device + "/descriptors", atMost: 1 << 17)
    else { return nil }
    let active = FileTree.text(at: device + "/bConfigurationValue").flatMap { UInt8($0) }
    return USBDescriptors(bytes, configuration: active, megabits: speed)
  }

  /// What a device's interfaces hold now.
  private static func holders(at device: String, except own: Set<UInt8>) -> [Holder] {
    guard let descriptors = descriptors(of: device) else { return [] }
    let port = String(device.split(separator: "/").last ?? "")
    let product = FileTree.text(at: device + "/product").flatMap { $0.isEmpty ? nil : $0 }
    let interfaces = Set(descriptors.isochronous.map(\.interface)).subtracting(own)
    let held = interfaces.reduce(into: (video: 0, other: 0)) { held, interface in
      let configuration = FileTree.text(at: device + "/bConfigurationValue") ?? "1"
      let number = String(interface)
      let folder = "\(device)/\(port):\(configuration).\(number)"
      guard let setting = FileTree.text(at: folder + "/bAlternateSetting").flatMap({ UInt8($0) })
      else { return }
      let bytes = descriptors.isochronous.filter {
        $0.interface == interface && $0.setting == setting
      }.reduce(0) { $0 + $1.bytesPerSecond }
      if descriptors.videoStreams.contains(interface) {
        held.video += bytes
      } else {
        held.other += bytes
      }
    }
    let name = "\(product ?? "a device") at \(port)"
    return [
      held.video > 0 ? Holder(name: name, bytesPerSecond: held.video) : nil,
      held.other > 0 ? Holder(name: "the sound of \(name)", bytesPerSecond: held.other) : nil,
    ].compactMap(\.self)
  }
}

// MARK: - Where it is

extension USBLink {
  /// The part of the tree that shares a link.
  private struct Place {
    let name: String
    /// The device at the computer's own port.
    let rootPort: String
    /// Folders of all devices that share the link.
    let devices: [String]
    /// How much of an eighth of a millisecond an EHCI controller gives away.
    let periodicMicroseconds: Int?

    /// - Parameters:
    ///   - device: The device's folder, `…/usb1/1-1/1-1.2`.
    ///   - port: Its name, `1-1.2`.
    init?(device: String, port: String) {
      guard let dash = port.firstIndex(of: "-") else { return nil }
      let bus = String(port[..<dash])
      let root = String(port.prefix { $0 != "." })
      let parts = device.split(separator: "/").map(String.init)
      guard let hub = parts.firstIndex(of: "usb" + bus), hub + 1 < parts.count,
        parts[hub + 1] == root
      else { return nil }
      let busFolder = "/" + parts[...hub].joined(separator: "/")
      rootPort = busFolder + "/" + root
      let maker = ["manufacturer", "product"].compactMap {
        FileTree.text(at: busFolder + "/" + $0)?.lowercased()
      }
      guard maker.contains(where: { $0.contains("ehci") }) else {
        name = port == root ? "USB port \(root)" : "the USB hub at port \(root)"
        devices = Self.devices(in: rootPort)
        periodicMicroseconds = nil
        return
      }
      name = "USB bus \(bus)"
      devices = Self.children(of: busFolder, startingWith: bus + "-").flatMap(Self.devices)
      let controller = "/" + parts[..<hub].joined(separator: "/")
      periodicMicroseconds = FileTree.text(at: controller + "/uframe_periodic_max")
        .flatMap { Int($0) }
    }

    /// A device and all that are plugged into it; hubs go five deep at most.
    private static func devices(in folder: String) -> [String] {
      let name = String(folder.split(separator: "/").last ?? "")
      guard name.count(where: { $0 == "." }) <= 6 else { return [folder] }
      return [folder] + children(of: folder, startingWith: name + ".").flatMap(devices)
    }

    private static func children(of folder: String, startingWith start: String) -> [String] {
      FileTree.names(in: folder).filter { $0.hasPrefix(start) && !$0.contains(":") }
        .map { folder + "/" + $0 }
    }
  }
}
