import CVideo4Linux

extension Capability {
  init(_ answer: v4l2_capability) {
    let all = Flags(rawValue: answer.capabilities)
    self.init(
      driver: kernelText(answer.driver), card: kernelText(answer.card),
      busInfo: kernelText(answer.bus_info),
      // Drivers from before `device_caps` speak of the node alone.
      flags: all.contains(.deviceCapabilities) ? Flags(rawValue: answer.device_caps) : all)
  }
}
