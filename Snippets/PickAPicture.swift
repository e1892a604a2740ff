// A picture of the library, cropped by whoever looks at it, and shrunk for a display.

import CaptureKitLibrary
import Foundation

let (view, display) = (CGSize(width: 640, height: 480), CGSize(width: 320, height: 240))

// snippet.show
let picker = ImagePickerController()
picker.sourceType = .photoLibrary  // or .camera: see previewLayer and takePicture()
picker.allowsEditing = true
picker.present { result in
  guard let media = (try? result.get())?.media else { return }  // cancelled
  let shown = try? media.displayImage(fitting: display, scale: 2)  // the original stays
  print(shown?.pixelWidth ?? 0, "of", media.originalImage?.pixelWidth ?? 0)
}
for await state in picker.states {  // what a window, a page or a terminal shows now
  switch state {
  case .choosing:
    guard let newest = try await picker.choices(range: 0..<50).first else { picker.cancel(); break }
    picker.choose(newest)  // the user has tapped it
  case .editing:
    picker.editor?.zoom(by: 2, at: CGPoint(x: 320, y: 240), in: view)
    picker.finishEditing()
  default: break
  }
}
