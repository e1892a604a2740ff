import Testing
import Video4Linux

@Suite(.timeLimit(.minutes(1)))
struct StableIDsTests {
  private static func usb(
    _ port: String, serial: String? = nil, interface: UInt8 = 0, index: UInt32 = 0,
    product: UInt16 = 0x0825
  ) -> DeviceIdentity {
    var identity = DeviceIdentity()
    identity.bus = .usb(.removable)
    identity.vendorID = 0x046d
    identity.productID = product
    identity.serialNumber = serial
    identity.port = port
    identity.interfaceNumber = interface
    identity.index = index
    identity.devicePath = "/sys/devices/usb/\(port)"
    return identity
  }

  private static func other(
    _ bus: DeviceBus, _ port: String, index: UInt32? = nil
  ) -> DeviceIdentity {
    var identity = DeviceIdentity()
    identity.bus = bus
    identity.port = port
    identity.index = index
    identity.devicePath = "/sys/devices/\(port)"
    return identity
  }

  private static let table: [(String, [String: DeviceIdentity], [String: String])] = [
    ("none", [:], [:]),
    (
      "serial number and metadata node",
      ["video0": usb("1-1", serial: "A1"), "video1": usb("1-1", serial: "A1", index: 1)],
      ["video0": "usb-046d:0825-A1", "video1": "usb-046d:0825-A1#0.1"]
    ),
    (
      "the same at another port and with other node numbers",
      ["video8": usb("3-2.4", serial: "A1"), "video9": usb("3-2.4", serial: "A1", index: 1)],
      ["video8": "usb-046d:0825-A1", "video9": "usb-046d:0825-A1#0.1"]
    ),
    (
      "no serial number", ["video0": usb("1-1.2")],
      ["video0": "usb-046d:0825@1-1.2"]
    ),
    (
      "two cameras with one serial number, and a third with its own",
      [
        "video0": usb("1-1", serial: "SN0001"), "video2": usb("1-2", serial: "SN0001"),
        "video4": usb("1-3", serial: "B7"),
      ],
      [
        "video0": "usb-046d:0825-SN0001@1-1", "video2": "usb-046d:0825-SN0001@1-2",
        "video4": "usb-046d:0825-B7",
      ]
    ),
    (
      "one serial number of two products",
      ["video0": usb("1-1", serial: "1"), "video2": usb("1-2", serial: "1", product: 0x0826)],
      ["video0": "usb-046d:0825-1", "video2": "usb-046d:0826-1"]
    ),
    (
      "two picture interfaces of one device",
      [
        "video0": usb("1-1", serial: "A1", interface: 2), "video1": usb("1-1", serial: "A1"),
        "video2": usb("1-1", serial: "A1", interface: 2, index: 1),
      ],
      [
        "video1": "usb-046d:0825-A1", "video0": "usb-046d:0825-A1#2.0",
        "video2": "usb-046d:0825-A1#2.1",
      ]
    ),
    (
      "a serial number that nobody could type",
      ["video0": usb("1-1", serial: "a b/c#1@é\u{7}")],
      ["video0": "usb-046d:0825-a_b_c_1___"]
    ),
    (
      "other buses",
      [
        "video0": other(.platform, "vivid.0", index: 0),
        "video1": other(.platform, "vivid.0", index: 1),
        "video2": other(.pci, "0000:00:14.3"), "video9": other(.virtual, "video9"),
        "video10": other(.unknown, "imx219"),
      ],
      [
        "video0": "platform-vivid.0", "video1": "platform-vivid.0#1",
        "video2": "pci-0000:00:14.3", "video9": "virtual-video9", "video10": "device-imx219",
      ]
    ),
    (
      "nodes that nothing tells apart",
      [
        "video2": other(.platform, "isp"), "video10": other(.platform, "isp"),
        "video11": other(.platform, "isp"),
      ],
      ["video2": "platform-isp", "video10": "platform-isp#0", "video11": "platform-isp#0#video11"]
    ),
  ]

  @Test(arguments: [
    ("usb-1:2-A", "usb-1:2-A", true), ("usb-1:2-A", "usb-1:2-B", false),
    ("usb-1:2-A", "usb-1:2-A@1-2", true), ("usb-1:2-A@1-2#1.0", "usb-1:2-A#1.0", true),
    ("usb-1:2-A@1-1", "usb-1:2-A@1-2", false), ("usb-1:2-A@1-2#1.0", "usb-1:2-A", false),
    ("usb-1:2@1-1", "usb-1:2@1-2", false), ("path-/dev/a@b", "path-/dev/a@b", true),
    ("platform-a", "path-/dev/video0", false), ("doorbell@home", "doorbell", false),
    ("virtual-a@b", "virtual-a", false),
  ])
  func knowsACameraWithAndWithoutItsPort(one: String, other: String, isOne: Bool) {
    #expect(StableIDs.mayBeSameDevice(one, other) == isOne)
    #expect(StableIDs.mayBeSameDevice(other, one) == isOne)
  }

  @Test(arguments: table.indices)
  func namesWhatOutlastsARestart(row: Int) {
    let (what, nodes, names) = Self.table[row]
    #expect(StableIDs.assign(to: nodes) == names, "\(what)")
    #expect(Set(StableIDs.assign(to: nodes).values).count == nodes.count)
  }
}
