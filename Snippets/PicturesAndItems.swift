// A photo kept with the item that it shows.

import CaptureKitLinux
import CaptureKitMocks
import Foundation
import ImageCache
import ItemModel

let folder = URL.temporaryDirectory.appending(path: "PicturesAndItems")
let picturesURL = folder.appending(path: "pictures")
let inventoryURL = folder.appending(path: "items.plist")

let camera = try await CaptureEnvironment(backends: [MockBackend(cameras: [MockCamera()])])
  .devices()[0]
let session = CaptureSession()
let photos = CapturePhotoOutput()
try session.add(CaptureDeviceInput(device: camera))
try session.add(photos)
try await session.start()
let photo = try await photos.capturePhoto(with: CapturePhotoSettings())
await session.stop()

// snippet.show
let images = try ImageStore(directory: picturesURL)
let items = try ItemStore(contentsOf: inventoryURL)

let bike = items.createItem(name: "Bicycle", valueInDollars: 450, category: .other)
try images.setImage(photo.image, forKey: bike.itemKey)  // the camera's bytes, kept as they are
try items.saveChanges()

let picture = try images.image(forKey: bike.itemKey)?.thumbnail(maxPixelSize: 320)
