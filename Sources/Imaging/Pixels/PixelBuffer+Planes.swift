extension PixelBuffer {
  /// Lends the planes to a C library for the time of one call.
  package func withUnsafePlanes<Result>(
    _ body: ([UnsafeRawBufferPointer]) -> Result
  ) -> Result {
    lendPlanes(after: [], to: body)
  }

  /// Where C finds a plane that was lent, and its bytes from row to row; nothing where there is
  /// none.
  func place(
    _ index: Int, in planes: [UnsafeRawBufferPointer]
  ) -> (bytes: UnsafePointer<UInt8>?, stride: Int) {
    guard planes.indices.contains(index) else { return (nil, 0) }
    return (
      planes[index].assumingMemoryBound(to: UInt8.self).baseAddress,
      layout.planes[index].bytesPerRow
    )
  }

  private func lendPlanes<Result>(
    after lent: [UnsafeRawBufferPointer], to body: ([UnsafeRawBufferPointer]) -> Result
  ) -> Result {
    guard lent.count < layout.planes.count else { return body(lent) }
    return bytes(ofPlane: lent.count).withUnsafeBytes { lendPlanes(after: lent + [$0], to: body) }
  }
}
