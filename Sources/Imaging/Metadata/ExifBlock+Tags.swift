extension ExifBlock {
  /// Tag numbers of CIPA DC-008.
  enum Tag {
    static let compression: UInt16 = 0x0103
    static let imageDescription: UInt16 = 0x010E
    static let make: UInt16 = 0x010F
    static let model: UInt16 = 0x0110
    static let stripOffset: UInt16 = 0x0111
    static let orientation: UInt16 = 0x0112
    static let stripByteCount: UInt16 = 0x0117
    static let xResolution: UInt16 = 0x011A
    static let yResolution: UInt16 = 0x011B
    static let resolutionUnit: UInt16 = 0x0128
    static let software: UInt16 = 0x0131
    static let dateTime: UInt16 = 0x0132
    static let thumbnailOffset: UInt16 = 0x0201
    static let thumbnailByteCount: UInt16 = 0x0202
    static let chromaPositioning: UInt16 = 0x0213
    static let xmp: UInt16 = 0x02BC
    static let subdirectories: UInt16 = 0x014A
    static let exifDirectory: UInt16 = 0x8769
    static let locationDirectory: UInt16 = 0x8825
    static let exposureTime: UInt16 = 0x829A
    static let fNumber: UInt16 = 0x829D
    static let sensitivity: UInt16 = 0x8827
    static let sensitivityType: UInt16 = 0x8830
    static let standardOutputSensitivity: UInt16 = 0x8831
    static let recommendedExposureIndex: UInt16 = 0x8832
    static let isoSpeed: UInt16 = 0x8833
    static let isoSpeedLatitudes: [UInt16] = [0x8834, 0x8835]
    static let exifVersion: UInt16 = 0x9000
    static let dateTimeOriginal: UInt16 = 0x9003
    static let dateTimeDigitized: UInt16 = 0x9004
    static let offsetTime: UInt16 = 0x9010
    static let offsetTimeOriginal: UInt16 = 0x9011
    static let offsetTimeDigitized: UInt16 = 0x9012
    static let componentsConfiguration: UInt16 = 0x9101
    static let focalLength: UInt16 = 0x920A
    static let makerNote: UInt16 = 0x927C
    static let userComment: UInt16 = 0x9286
    static let subsecondTime: UInt16 = 0x9290
    static let subsecondTimeOriginal: UInt16 = 0x9291
    static let subsecondTimeDigitized: UInt16 = 0x9292
    static let flashpixVersion: UInt16 = 0xA000
    static let colorSpace: UInt16 = 0xA001
    static let pixelXDimension: UInt16 = 0xA002
    static let pixelYDimension: UInt16 = 0xA003
    static let interoperabilityDirectory: UInt16 = 0xA005
    /// Title, comment, author, keywords and subject in UTF-16, as Windows writes them.
    static let windowsTexts: ClosedRange<UInt16> = 0x9C9B...0x9C9F

    /// Those that point to directories.
    static let directories = [exifDirectory, locationDirectory, interoperabilityDirectory]
  }

  /// Tags beside the location's directory that say where the picture was taken: XMP, IPTC and
  /// Photoshop's resources within TIFF, and GeoTIFF's places and keys.
  static let tagsOfPlaces: Set<UInt16> = [
    Tag.xmp, 0x83BB, 0x8649, 0x830E, 0x8482, 0x85D8, 0x87AF, 0x87B0, 0x87B1, 0xA480, 0xA481,
  ]

  /// Tag numbers of the location's directory (4.6.6).
  enum LocationTag {
    static let version: UInt16 = 0x0000
    static let latitudeReference: UInt16 = 0x0001
    static let latitude: UInt16 = 0x0002
    static let longitudeReference: UInt16 = 0x0003
    static let longitude: UInt16 = 0x0004
    static let altitudeReference: UInt16 = 0x0005
    static let altitude: UInt16 = 0x0006
    static let time: UInt16 = 0x0007
    static let date: UInt16 = 0x001D
    /// How the camera moved and where it looked.
    static let ofTheCamera: ClosedRange<UInt16> = 0x000C...0x0011

    /// Whether it is still true of another place, or is written with it.
    static func stays(_ tag: UInt16) -> Bool {
      (version...time).contains(tag) || ofTheCamera.contains(tag) || tag == date
    }
  }
}
