import Foundation

/// What the fuzzer's bytes are fed to; the environment's `FUZZ_TARGET` chooses.
private let target: @Sendable (Data) -> Void = {
  switch ProcessInfo.processInfo.environment["FUZZ_TARGET"] {
  case "editing": editPicture
  case "exif": readAndWriteExif
  case "items": readItems
  case "movies": readMovie
  case "png": openPicture
  case "scaling": scalePicture
  default: readMarkers
  }
}()

/// libFuzzer calls this for each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  // The bytes in memory of their own, exactly as long: what is read past them is seen.
  target(start.map { Data(bytes: $0, count: count) } ?? Data())
  return 0
}
