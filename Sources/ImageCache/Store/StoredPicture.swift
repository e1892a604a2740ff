import Imaging

/// A picture that was read from a file, and what the file was then.
final class StoredPicture: MemoryCosting {
  let request: KeyTraffic.Request
  let image: Image
  let stamp: DiskStamp

  init(_ request: KeyTraffic.Request, _ image: Image, _ stamp: DiskStamp) {
    self.request = request
    self.image = image
    self.stamp = stamp
  }

  var memoryCost: Int { image.memoryCost }
}
