// One photo with the first camera.

import CaptureKitLinux
import Foundation

// snippet.show
let session = CaptureSession()
let camera = try CaptureDevice.default(for: .video) ?? { throw CaptureError.noDevice }()
try session.add(CaptureDeviceInput(device: camera))
let photos = CapturePhotoOutput()
try session.add(photos)

try await session.start()
let photo = try await photos.capturePhoto(with: CapturePhotoSettings())
try photo.write(to: URL(filePath: "selfie.jpg"))  // whole or not at all
await session.stop()
