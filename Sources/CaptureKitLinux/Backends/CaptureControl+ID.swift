extension CaptureControl {
  /// What a control is known by: the kernel's number, `V4L2_CID_…`.
  public struct ID: RawRepresentable, Hashable, Sendable, Codable {
    /// The kernel's number.
    public let rawValue: UInt32

    /// Takes the kernel's number.
    public init(rawValue: UInt32) {
      self.rawValue = rawValue
    }
  }
}

// MARK: - CustomStringConvertible

extension CaptureControl.ID: CustomStringConvertible {
  /// The number in hexadecimal, `0x009a0901`.
  public var description: String {
    let digits = String(rawValue, radix: 16)
    return "0x" + String(repeating: "0", count: 8 - digits.count) + digits
  }
}

// MARK: - Picture

extension CaptureControl.ID {
  /// How bright the picture is made.
  public static let brightness = Self(rawValue: 0x0098_0900)
  /// The picture's contrast.
  public static let contrast = Self(rawValue: 0x0098_0901)
  /// How much colour the picture has.
  public static let saturation = Self(rawValue: 0x0098_0902)
  /// The hue of the colours.
  public static let hue = Self(rawValue: 0x0098_0903)
  /// Whether the hue is automatic.
  public static let automaticHue = Self(rawValue: 0x0098_0919)
  /// How much edges are sharpened.
  public static let sharpness = Self(rawValue: 0x0098_091b)
  /// How much is made up for light behind the subject.
  public static let backlightCompensation = Self(rawValue: 0x0098_091c)
  /// Whether the picture is flipped left to right by the camera.
  public static let horizontalFlip = Self(rawValue: 0x0098_0914)
  /// Whether the picture is flipped upside down by the camera.
  public static let verticalFlip = Self(rawValue: 0x0098_0915)
  /// A menu: the frequency of the lamps, against flicker.
  public static let powerLineFrequency = Self(rawValue: 0x0098_0918)
  /// Whether the brightness is automatic.
  public static let automaticBrightness = Self(rawValue: 0x0098_0920)
  /// Whether the chroma gain is automatic.
  public static let automaticChromaGain = Self(rawValue: 0x0098_091d)
  /// The gain of the colours.
  public static let chromaGain = Self(rawValue: 0x0098_0924)
}

// MARK: - Exposure

extension CaptureControl.ID {
  /// A menu: 0 automatic, 1 manual, 2 manual time, 3 automatic time; webcams have 1 and 3.
  public static let automaticExposure = Self(rawValue: 0x009a_0901)
  /// The exposure time in units of 100 microseconds.
  public static let exposureTime = Self(rawValue: 0x009a_0902)
  /// Whether the camera may lengthen frames where it is dark (`exposure_dynamic_framerate`).
  public static let exposureMayLowerFrameRate = Self(rawValue: 0x009a_0903)
  /// How much lighter or darker automatic exposure aims, a menu of thousandths of a stop.
  public static let exposureBias = Self(rawValue: 0x009a_0913)
  /// How sensitive the sensor is, in the driver's own unit.
  public static let gain = Self(rawValue: 0x0098_0913)
  /// Whether the gain is automatic.
  public static let automaticGain = Self(rawValue: 0x0098_0912)
  /// The gain before digitising, of bare sensors.
  public static let analogueGain = Self(rawValue: 0x009e_0903)
  /// How sensitive the sensor is, a menu of thousandths of an ISO number.
  public static let isoSensitivity = Self(rawValue: 0x009a_0917)
  /// A menu: 0 manual, 1 automatic.
  public static let automaticISOSensitivity = Self(rawValue: 0x009a_0918)
  /// The iris, in the driver's own unit.
  public static let iris = Self(rawValue: 0x009a_0911)
  /// A bitmask of what is held as it is: 1 exposure, 2 white balance, 4 focus.
  public static let lock3A = Self(rawValue: 0x009a_091b)
}

// MARK: - Focus, zoom, white balance

extension CaptureControl.ID {
  /// Whether focus is automatic, all the time.
  public static let automaticFocus = Self(rawValue: 0x009a_090c)
  /// The lens position; higher is nearer.
  public static let focus = Self(rawValue: 0x009a_090a)
  /// Moves the lens by so much.
  public static let focusStep = Self(rawValue: 0x009a_090b)
  /// A button: focuses once.
  public static let startAutomaticFocus = Self(rawValue: 0x009a_091c)
  /// The focal length, in the driver's own unit.
  public static let zoom = Self(rawValue: 0x009a_090d)
  /// Turns the camera left and right, in units of 1/3600 of a degree.
  public static let pan = Self(rawValue: 0x009a_0908)
  /// Turns the camera up and down, in units of 1/3600 of a degree.
  public static let tilt = Self(rawValue: 0x009a_0909)
  /// Whether white balance is automatic.
  public static let automaticWhiteBalance = Self(rawValue: 0x0098_090c)
  /// A menu of kinds of light; 0 is manual, 1 automatic.
  public static let whiteBalancePreset = Self(rawValue: 0x009a_0914)
  /// A button: balances once.
  public static let balanceWhiteOnce = Self(rawValue: 0x0098_090d)
  /// The colour of the light, in kelvin.
  public static let whiteBalanceTemperature = Self(rawValue: 0x0098_091a)
  /// The gain of red.
  public static let redBalance = Self(rawValue: 0x0098_090e)
  /// The gain of blue.
  public static let blueBalance = Self(rawValue: 0x0098_090f)
}

// MARK: - Housing

extension CaptureControl.ID {
  /// Whether a shutter, or a key, keeps the camera from seeing.
  public static let privacy = Self(rawValue: 0x009a_0910)
  /// A menu: 0 off, 1 flash, 2 torch.
  public static let flashMode = Self(rawValue: 0x009c_0901)
  /// How bright the torch is, in the driver's own unit.
  public static let torchIntensity = Self(rawValue: 0x009c_0908)
}
