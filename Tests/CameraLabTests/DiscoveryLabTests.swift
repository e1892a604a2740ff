import CaptureKitLinux
import Foundation
import Imaging
import Testing

/// What discovery says of real drivers' cameras.
@Suite(.timeLimit(.minutes(1)))
struct DiscoveryLabTests {
  @Test(.inLab(.single, .multiplanar)) func findsVivid() throws {
    let devices = Self.cameras

    try #require(devices.map(\.localizedName) == ["vivid"])
    #expect(devices[0].driver == "vivid")
    #expect(devices[0].nodePath == "/dev/video0")
    #expect(devices[0].uniqueID == "platform-vivid.0")
    #expect(devices[0].modelID == "")
    #expect(devices[0].position == .unspecified)
    #expect(devices[0].authorization == .authorized)
  }

  @Test(.inLab(.usb)) func findsTheUSBCameraAndNotItsMetadata() throws {
    let devices = Self.cameras

    try #require(devices.map(\.uniqueID) == ["usb-1d6b:0102-LAB0001"])
    #expect(devices[0].localizedName == "Lab Camera: Lab Camera")
    #expect(devices[0].manufacturer == "Camera Lab")
    #expect(devices[0].modelID == "1d6b:0102")
    #expect(devices[0].driver == "uvcvideo")
    #expect(devices[0].deviceType == .external)
    #expect(devices[0].isConnected)
    #expect(CaptureDevice.authorizationStatus(for: .video) == .authorized)
  }

  @Test(.inLab(.twins)) func tellsTwinsApartByTheirPorts() throws {
    let ids = Self.cameras.map(\.uniqueID)

    try #require(ids.count == 2)
    #expect(Set(ids).count == 2)
    #expect(ids.allSatisfy { $0.hasPrefix("usb-1d6b:0102-TWIN@") })
    for id in ids {
      let port = try #require(id.split(separator: "@").last)
      #expect(FileManager.default.fileExists(atPath: "/sys/bus/usb/devices/\(port)"))
      #expect(CaptureDevice.device(withUniqueID: id)?.uniqueID == id)
    }
  }

  @Test(.inLab) func keepsTheObjectOfACameraThatStays() {
    #expect(!Self.cameras.isEmpty)
    #expect(Self.cameras == Self.cameras)
  }

  @Test(.inLab(.usb)) func listsTheUSBCamerasFormats() throws {
    let device = try #require(CaptureDevice.default(for: .video))
    let rates = try [30, 15, 5].map { try #require(FrameDuration.framesPerSecond($0)) }
    let sizes = [(640, 480), (320, 240), (1280, 720)].map { VideoDimensions(width: $0, height: $1) }

    for pixelFormat in [PixelFormat.mjpeg, .yuyv] {
      let formats = try device.loadFormats().filter { $0.pixelFormat == pixelFormat }
      #expect(Set(formats.map(\.maximumDimensions)) == Set(sizes))
      #expect(formats.allSatisfy { $0.hasOneSize })
      #expect(formats.allSatisfy { $0.frameDurations == rates.map { $0...$0 } })
    }
  }

  @Test(.inLab(.single, .multiplanar)) func listsVividsFormats() throws {
    let device = try #require(CaptureDevice.default(for: .video))
    let large = try #require(
      try device.loadFormats().first {
        $0.pixelFormat == .yuyv && $0.maximumDimensions.width == 1280
      })

    #expect(large.maximumDimensions.height == 720)
    #expect(large.frameDurations.map(\.lowerBound) == large.frameDurations.map(\.upperBound))
    // 12.5 frames a second is no decimal's business.
    #expect(large.minFrameDuration == FrameDuration(numerator: 2, denominator: 25))
    #expect(large.frameDurations.last?.upperBound == FrameDuration.framesPerSecond(1))
  }

  static var cameras: [CaptureDevice] {
    CaptureDevice.DiscoverySession(
      deviceTypes: [.builtInWideAngleCamera, .external], mediaType: .video, position: .unspecified
    ).devices
  }
}
