import AVFoundationCompat

// A scanner's capture code: a video data output, a delegate on a queue of its own, the luma plane
// of a locked buffer read row by row.

protocol BarcodeScannerDelegate: AnyObject {
  func barcodeScanner(_ scanner: BarcodeScanner, didFind code: String, at time: CMTime)
}

class BarcodeScanner: NSObject, AVCaptureVideoDataOutputSampleBufferDelegate {
  weak var delegate: BarcodeScannerDelegate?
  let session = AVCaptureSession()
  private let videoOutput = AVCaptureVideoDataOutput()
  private let queue = DispatchQueue(label: "scanner", qos: .userInitiated)

  func setUp() -> Bool {
    guard let device = AVCaptureDevice.default(for: .video),
      let input = try? AVCaptureDeviceInput(device: device),
      session.canAddInput(input)
    else { return false }
    session.addInput(input)

    videoOutput.alwaysDiscardsLateVideoFrames = true
    videoOutput.videoSettings = [
      kCVPixelBufferPixelFormatTypeKey as String: Int(
        kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
    ]
    videoOutput.setSampleBufferDelegate(self, queue: queue)
    guard session.canAddOutput(videoOutput) else { return false }
    session.addOutput(videoOutput)
    return true
  }

  func captureOutput(
    _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer,
    from connection: AVCaptureConnection
  ) {
    guard let pixelBuffer = CMSampleBufferGetImageBuffer(sampleBuffer) else { return }

    CVPixelBufferLockBaseAddress(pixelBuffer, .readOnly)
    defer { CVPixelBufferUnlockBaseAddress(pixelBuffer, .readOnly) }

    guard let base = CVPixelBufferGetBaseAddressOfPlane(pixelBuffer, 0) else { return }
    let width = CVPixelBufferGetWidthOfPlane(pixelBuffer, 0)
    let height = CVPixelBufferGetHeightOfPlane(pixelBuffer, 0)
    let bytesPerRow = CVPixelBufferGetBytesPerRowOfPlane(pixelBuffer, 0)

    for line in stride(from: height / 4, to: height * 3 / 4, by: 8) {
      let row = base.advanced(by: line * bytesPerRow).assumingMemoryBound(to: UInt8.self)
      let luma = UnsafeBufferPointer(start: row, count: width)
      if let code = EAN8.read(Array(luma)) {
        let time = CMSampleBufferGetPresentationTimeStamp(sampleBuffer)
        delegate?.barcodeScanner(self, didFind: code, at: time)
        return
      }
    }
  }
}

/// The shorter of the two codes on groceries.
enum EAN8 {
  static let digits = [
    "0001101", "0011001", "0010011", "0111101", "0100011", "0110001", "0101111", "0111011",
    "0110111", "0001011",
  ]

  /// Dark modules as 1: guards, four digits, the middle, four digits inverted, guards.
  static func modules(of code: String) -> [Bool] {
    let numbers = code.compactMap { $0.wholeNumberValue }
    let left = numbers.prefix(4).map { digits[$0] }.joined()
    let right = numbers.suffix(4).map { digits[$0] }.joined().map { $0 == "1" ? "0" : "1" }.joined()
    return ("101" + left + "01010" + right + "101").map { $0 == "1" }
  }

  static func read(_ luma: [UInt8]) -> String? {
    guard let darkest = luma.min(), let lightest = luma.max(), lightest - darkest > 60 else {
      return nil
    }
    let threshold = darkest + (lightest - darkest) / 2
    let isDark = luma.map { $0 < threshold }
    guard let first = isDark.firstIndex(of: true), let last = isDark.lastIndex(of: true) else {
      return nil
    }
    let module = Double(last - first + 1) / 67
    let bits = (0..<67).map { isDark[first + Int((Double($0) + 0.5) * module)] }
    let starts = (0..<4).map { 3 + 7 * $0 } + (0..<4).map { 36 + 7 * $0 }
    let numbers = starts.compactMap { start -> Int? in
      let word = bits[start..<start + 7].map { $0 == (start < 32) ? "1" : "0" }.joined()
      return digits.firstIndex(of: word)
    }
    guard numbers.count == 8 else { return nil }
    let sum = numbers.enumerated().reduce(0) { $0 + $1.element * ($1.offset % 2 == 0 ? 3 : 1) }
    return sum % 10 == 0 ? numbers.map(String.init).joined() : nil
  }
}
