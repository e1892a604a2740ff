import Foundation
import Imaging

extension ImagePickerController {
  /// A key of what was picked: Apple's `UIImagePickerController.InfoKey`, with the same raw values.
  public struct InfoKey: RawRepresentable, Hashable, Sendable {
    /// The key's name on Apple's systems.
    public let rawValue: String

    /// Names a key.
    ///
    /// - Parameter rawValue: The key's name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The kind of media, a uniform type identifier as `String`.
    public static let mediaType = InfoKey(rawValue: "UIImagePickerControllerMediaType")
    /// The picture as it came, an `Image`.
    public static let originalImage = InfoKey(rawValue: "UIImagePickerControllerOriginalImage")
    /// The edited picture, an `Image`.
    public static let editedImage = InfoKey(rawValue: "UIImagePickerControllerEditedImage")
    /// The part that the edited picture shows, a `CGRect` in pixels of the original as it is shown.
    public static let cropRect = InfoKey(rawValue: "UIImagePickerControllerCropRect")
    /// The movie's file, a `URL`.
    public static let mediaURL = InfoKey(rawValue: "UIImagePickerControllerMediaURL")
    /// The file of a picture that was chosen, a `URL`.
    public static let imageURL = InfoKey(rawValue: "UIImagePickerControllerImageURL")
    /// What a picture says of itself, an `ImageMetadata`.
    public static let mediaMetadata = InfoKey(rawValue: "UIImagePickerControllerMediaMetadata")
    /// What was chosen, a ``PhotoLibrary/Asset``.
    public static let phAsset = InfoKey(rawValue: "UIImagePickerControllerPHAsset")
    /// The address of what was chosen, a `URL`; here that of the file.
    public static let referenceURL = InfoKey(rawValue: "UIImagePickerControllerReferenceURL")
  }
}

extension PickedMedia {
  /// The same as Apple's picker has it; keys of what is not there are missing.
  public var info: [ImagePickerController.InfoKey: any Sendable] {
    var info: [ImagePickerController.InfoKey: any Sendable] = [.mediaType: mediaType.rawValue]
    info[.originalImage] = originalImage
    info[.editedImage] = editedImage
    info[.cropRect] = cropRect.map {
      CGRect(x: $0.x, y: $0.y, width: $0.width, height: $0.height)
    }
    info[.mediaURL] = mediaURL
    info[.mediaMetadata] = metadata
    info[.phAsset] = asset
    info[.referenceURL] = asset?.url
    if mediaType == .image { info[.imageURL] = asset?.url }
    return info
  }
}
