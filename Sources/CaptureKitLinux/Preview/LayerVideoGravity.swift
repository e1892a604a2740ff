/// How a picture fills a layer of another shape; Apple's `AVLayerVideoGravity`.
public enum LayerVideoGravity: String, CaseIterable, Hashable, Sendable {
  /// The whole picture, stretched to the layer's shape.
  case resize = "AVLayerVideoGravityResize"
  /// The whole picture in its own shape, with bars beside it.
  case resizeAspect = "AVLayerVideoGravityResizeAspect"
  /// The whole layer, with the picture in its own shape; what does not fit is cut off on both
  /// sides.
  case resizeAspectFill = "AVLayerVideoGravityResizeAspectFill"
}
