public import CaptureKitLinux

// Names of Apple's cameras that no Linux machine has: discovery by them finds nothing by itself,
// and in a list with `builtInWideAngleCamera` the cameras that are there.
extension CaptureDevice.DeviceType {
  /// Apple's longer lens.
  public static var builtInTelephotoCamera: Self { Self(rawValue: "builtInTelephotoCamera") }
  /// Apple's wider lens.
  public static var builtInUltraWideCamera: Self { Self(rawValue: "builtInUltraWideCamera") }
  /// Apple's wide and telephoto lens as one.
  public static var builtInDualCamera: Self { Self(rawValue: "builtInDualCamera") }
  /// Apple's ultra wide and wide lens as one.
  public static var builtInDualWideCamera: Self { Self(rawValue: "builtInDualWideCamera") }
  /// Apple's three lenses as one.
  public static var builtInTripleCamera: Self { Self(rawValue: "builtInTripleCamera") }
  /// Apple's camera that sees depth.
  public static var builtInTrueDepthCamera: Self { Self(rawValue: "builtInTrueDepthCamera") }
  /// The older name of `external`.
  public static var externalUnknown: Self { .external }
}

extension CaptureDevice {
  /// All cameras: the older form of a discovery session.
  ///
  /// - Parameter mediaType: `.video`; there is nothing of other types.
  /// - Returns: The cameras that are there now.
  public static func devices(for mediaType: MediaType) -> [CaptureDevice] {
    let types: [DeviceType] = [.builtInWideAngleCamera, .external]
    return DiscoverySession(deviceTypes: types, mediaType: mediaType, position: .unspecified)
      .devices
  }
}
