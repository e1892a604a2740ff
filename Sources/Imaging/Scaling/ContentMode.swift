extension Image {
  /// How a picture fills a size of other proportions; named as Apple's `UIView.ContentMode` is.
  public enum ContentMode: Hashable, CaseIterable, Sendable {
    /// Stretched to exactly the size; proportions are lost.
    case scaleToFill
    /// As large as fits, proportions kept; one side of the result may be shorter than the size's.
    case scaleAspectFit
    /// Exactly the size, proportions kept; what stands out on both sides is cut off evenly.
    case scaleAspectFill
  }

  /// What a picture of another size may cost.
  public enum ScalingQuality: Hashable, CaseIterable, Sendable {
    /// As little as can be: a JPEG is decoded just above the new size.
    case fast
    /// Details as they should be; a JPEG is decoded at twice the new size or more.
    case best
  }
}
