import CaptureKitLinux
import ExampleSupport
import Foundation
import ImageCache
import Imaging
import ItemModel

/// A folder with pictures and the items that they belong to.
struct Album {
  private let pictures: URL
  private let items: ItemStore

  init(directory: String) throws {
    let folder = URL(filePath: directory, directoryHint: .isDirectory)
    pictures = folder.appending(path: "pictures")
    items = try ItemStore(contentsOf: folder.appending(path: "items.plist"))
    if case .unreadable(let moved, let reason) = items.loadResult {
      throw Failure(
        .inputOutput, "The items are damaged, and lie in \(moved.path) now. \(reason)")
    }
  }

  func take(with camera: CaptureDevice) async throws {
    // Before the photo: where it cannot be kept, there is no use in taking it.
    let images = try ImageStore(directory: pictures)
    let session = CaptureSession()
    let photos = CapturePhotoOutput()
    try session.add(CaptureDeviceInput(device: camera))
    try session.add(photos)
    try await session.start()
    let photo = try await photos.capturePhoto(with: CapturePhotoSettings())
    await session.stop()

    let item = items.createItem(name: "First photo", valueInDollars: 0)
    try images.setImage(photo.image, forKey: item.itemKey)
    try items.saveChanges()
    print("camera:      \(camera.localizedName) (\(camera.nodePath ?? camera.uniqueID))")
    print("picture:     \(images.imageURL(forKey: item.itemKey).path)")
    print("items:       \(items.fileURL.path)")
  }

  func show() throws {
    guard let item = items.allItems.last else {
      throw Failure(.unavailable, "There is no item yet: run `firstphoto take` first.")
    }
    // Opening makes the folder, and a folder without items is none of ours.
    let images = try ImageStore(directory: pictures)
    guard let image = try images.image(forKey: item.itemKey) else {
      throw Failure(.inputOutput, "The picture of \(item.name) is missing.")
    }
    // Decoded, so that a damaged picture is no success.
    let pixels = try image.pixelBuffer()
    print("picture:     \(images.imageURL(forKey: item.itemKey).path)")
    print("size:        \(pixels.width)x\(pixels.height)")
    print("orientation: \(image.orientation.rawValue) (\(image.orientation))")
    print("items:       \(items.fileURL.path)")
    print("item:        \(item.name), \(item.category.rawValue), $\(item.valueInDollars)")
    print("created:     \(item.dateCreated.ISO8601Format())")
    print("key:         \(item.itemKey)")
  }
}
