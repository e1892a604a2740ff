extension PixelBuffer {
  /// Lends the planes to a C library for the time of one call.
  package func withUnsafePlanes<Result>(
    _ body: ([UnsafeRawBufferPointer]) -> Result
  ) -> Result {
    lendPlanes(after: [], to: body)
  }

  private func lendPlanes<Result>(
    after lent: [UnsafeRawBufferPointer], to body: ([UnsafeRawBufferPointer]) -> Result
  ) -> Result {
    guard lent.count < layout.planes.count else { return body(lent) }
    return bytes(ofPlane: lent.count).withUnsafeBytes { lendPlanes(after: lent + [$0], to: body) }
  }
}
