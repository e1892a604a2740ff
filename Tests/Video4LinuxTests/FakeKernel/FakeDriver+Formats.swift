import CVideo4Linux
import LinuxSystem
import Video4Linux

extension FakeDriver {
  static func settled(
    _ device: FakeDevice, _ fourcc: FourCC, _ wish: FrameSize, field asked: Field = .any
  ) -> ck_image_format {
    let known = device.formats.first { $0.fourcc == fourcc } ?? device.formats.first ?? .yuyv
    let nearest: FrameSize =
      switch known.sizes {
      case .discrete(let sizes):
        sizes.min { distance($0, wish) < distance($1, wish) } ?? wish
      case .stepwise(let range), .continuous(let range): range.nearest(to: wish)
      }
    let (settledFourCC, size) = device.settles?(known.fourcc, nearest) ?? (known.fourcc, nearest)
    var image = ck_image_format()
    image.width = size.width
    image.height = size.height
    image.pixelformat = settledFourCC.rawValue
    image.field = device.field(asked).rawValue
    image.colorspace = 8
    image.plane_count = UInt32(device.isMultiplanar ? known.planes.count : 1)
    withUnsafeMutableBytes(of: &image.planes) { bytes in
      let values = bytes.bindMemory(to: UInt32.self)
      for (index, bits) in known.planes.prefix(Int(image.plane_count)).enumerated() {
        let row = known.isCompressed ? 0 : size.width &* min(bits, 16) / (bits == 4 ? 4 : 8)
        let padded = known.isCompressed ? 0 : row &+ device.rowPadding
        values[2 * index] = padded
        values[2 * index + 1] =
          known.isCompressed
          ? size.width &* size.height &* 2 : padded &* size.height / (bits == 4 ? 2 : 1)
      }
    }
    return image
  }

  private static func distance(_ a: FrameSize, _ b: FrameSize) -> Int64 {
    abs(Int64(a.width) - Int64(b.width)) + abs(Int64(a.height) - Int64(b.height))
  }

  mutating func exchangeFormat(
    _ call: FakeCall, _ argument: inout v4l2_format
  ) throws(Errno) {
    guard argument.type == bufferType else { throw .invalidArgument }
    let wish = ck_format_read(argument)
    let settled = Self.settled(
      device, FourCC(rawValue: wish.pixelformat), FrameSize(width: wish.width, height: wish.height),
      field: Field(rawValue: wish.field))
    if call == .setFormat {
      guard buffers.isEmpty else { throw .busy }
      format = settled
    }
    argument = ck_format_make(bufferType, call == .getFormat ? format : settled)
  }

  mutating func exchangeParameters(
    _ call: FakeCall, _ argument: inout v4l2_streamparm
  ) throws(Errno) {
    guard argument.type == bufferType else { throw .invalidArgument }
    if call == .setParameters, device.hasFrameIntervals {
      let wish = ck_streamparm_read(argument).timeperframe
      let known = try known(format.pixelformat).intervals
      if let wish = FrameInterval(numerator: wish.numerator, denominator: wish.denominator),
        let range = known.range
      {
        interval = fraction(min(max(wish, range.lowerBound), range.upperBound))
      }
    }
    argument = ck_streamparm_make(
      bufferType, device.hasFrameIntervals ? interval : v4l2_fract(numerator: 9, denominator: 9))
    argument.parm.capture.capability = device.hasFrameIntervals ? 0x1000 : 0
  }
}
