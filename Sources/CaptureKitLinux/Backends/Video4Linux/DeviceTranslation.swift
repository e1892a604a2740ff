import Imaging
import Video4Linux

extension CaptureDeviceDescription {
  init(_ node: CameraNode) {
    self.init(uniqueID: node.stableID, localizedName: node.name)
    manufacturer = node.identity.manufacturer ?? ""
    modelID = node.identity.modelID
    deviceType = node.deviceType
    position = node.position
    // The kernel counts counter-clockwise, and from any number of turns.
    mountingAngle = ((360 - (node.sensorRotation ?? 0)) % 360 + 360) % 360
    authorization = node.isAccessible ? .authorized : .denied
    settlingTime = Video4LinuxBackend.settlingTime
    busBandwidth = node.identity.busSpeed.flatMap {
      BusLoad.bandwidth(ofUSBPortAt: $0, isBulk: node.identity.sendsInBulk)
    }
    nodePath = node.path
    driver = node.driver
    connectionID = node.connectionID
  }
}

extension DeviceIdentity {
  /// USB's vendor and product in hexadecimal, `046d:0825`; empty for other devices.
  fileprivate var modelID: String {
    guard let vendorID, let productID else { return "" }
    let numbers = [vendorID, productID].map { number in
      let digits = String(number, radix: 16)
      return String(repeating: "0", count: 4 - digits.count) + digits
    }
    return numbers.joined(separator: ":")
  }
}

extension CameraNode {
  fileprivate var position: CaptureDevice.Position {
    switch orientation {
    case .front: .front
    case .back: .back
    case .external, nil: .unspecified
    }
  }

  fileprivate var deviceType: CaptureDevice.DeviceType {
    if orientation == .front || orientation == .back { return .builtInWideAngleCamera }
    return switch bus {
    case .usb(.fixed), .platform: .builtInWideAngleCamera
    case .usb, .pci, .virtual, .unknown: .external
    }
  }
}

// MARK: - Formats

extension VideoNode {
  /// Everything that the node offers.
  func captureFormats() throws(VideoNodeError) -> [CaptureDevice.Format] {
    var formats: [CaptureDevice.Format] = []
    for description in try pixelFormats() {
      let fourcc = description.fourcc
      let pixelFormat = PixelFormat(rawValue: fourcc.rawValue)
      let sampleFormat = SampleFormat(pixelFormat)
      switch try frameSizes(of: fourcc) {
      case .discrete(let listed):
        // Drivers without a list have at least the size that they are set to.
        let sizes = listed.isEmpty ? [try currentFormat().size] : listed
        for size in sizes {
          let rates = try frameIntervals(of: fourcc, size: size).rates
          formats.append(
            CaptureDevice.Format(
              pixelFormat, from: VideoDimensions(size), through: VideoDimensions(size), rates: rates
            ).converted(as: sampleFormat?.conversion(of: size)))
        }
      case .stepwise(let range), .continuous(let range):
        let rates = try frameIntervals(of: fourcc, size: range.last).rates
        let format = CaptureDevice.Format(
          pixelFormat, from: VideoDimensions(range.minimum),
          through: VideoDimensions(range.last), by: VideoDimensions(range.step), rates: rates
        ).converted(as: sampleFormat?.conversion(of: range.last))
        formats.append(try addingRates(of: fourcc, to: format))
      }
    }
    return formats
  }

  /// Asks for the rates of the sizes that presets choose: a sensor that is slow at its largest size
  /// need not be at smaller ones.
  private func addingRates(
    of fourcc: FourCC, to format: CaptureDevice.Format
  ) throws(VideoNodeError) -> CaptureDevice.Format {
    var format = format
    for size in PresetTarget.sizes(in: format) where size != format.maximumDimensions {
      guard let width = UInt32(exactly: size.width), let height = UInt32(exactly: size.height)
      else { continue }
      let intervals = try frameIntervals(
        of: fourcc, size: FrameSize(width: width, height: height))
      format = format.offering(intervals.rates, in: size)
    }
    return format.offering(format.videoSupportedFrameRateRanges, in: format.maximumDimensions)
  }
}

extension SampleFormat {
  /// The format of a frame's samples; nil where they can be read as they are, or not at all.
  init?(_ pixelFormat: PixelFormat) {
    // Asked first, since most cameras' formats are, and the table of the others is long.
    guard !pixelFormat.isJPEG, PixelLayout(format: pixelFormat, width: 16, height: 16) == nil else {
      return nil
    }
    self.init(FourCC(rawValue: pixelFormat.rawValue))
  }

  fileprivate func conversion(of size: FrameSize) -> CaptureDevice.Format.Conversion? {
    guard converts(size) else { return nil }
    return maker == .libv4lconvert ? .libv4lconvert : .upperEightBits
  }
}

extension VideoDimensions {
  fileprivate init(_ size: FrameSize) {
    self.init(width: Int(size.width), height: Int(size.height))
  }
}

extension FrameDuration {
  init?(_ interval: FrameInterval) {
    self.init(numerator: interval.numerator, denominator: interval.denominator)
  }
}

extension FrameIntervals {
  fileprivate var rates: [FrameRateRange] {
    switch self {
    case .discrete(let intervals):
      intervals.compactMap(FrameDuration.init).map { FrameRateRange(from: $0, through: $0) }
    case .stepwise(let range, _), .continuous(let range):
      [range].compactMap { range in
        guard let shortest = FrameDuration(range.lowerBound),
          let longest = FrameDuration(range.upperBound)
        else { return nil }
        return FrameRateRange(from: shortest, through: longest)
      }
    }
  }
}
