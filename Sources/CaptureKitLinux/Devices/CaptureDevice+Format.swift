public import Imaging

extension CaptureDevice {
  /// A pixel format that a camera offers, with the sizes and frame durations it offers it in.
  ///
  /// Apple's `AVCaptureDevice.Format`. Most cameras list each size as a format of its own; those
  /// that scale list a range of sizes, which is kept as one.
  public struct Format: Hashable, Sendable {
    /// How the bytes are to be read.
    public let pixelFormat: PixelFormat
    /// The smallest size; the same as the largest where there is just one.
    public let minimumDimensions: VideoDimensions
    /// The largest size, on the steps.
    public let maximumDimensions: VideoDimensions
    /// Widths and heights grow from the smallest in these steps, at least 1.
    public let dimensionsStep: VideoDimensions
    /// The frame rates offered in the largest size, as Apple names them; highest rates first; empty
    /// where the driver says nothing. Smaller sizes may have others: see ``narrowed(to:)``.
    public let videoSupportedFrameRateRanges: [FrameRateRange]
    /// What makes pictures of its frames where this library does not read them as they are; nil
    /// where none is needed, or none is known: see ``isReadable``.
    public private(set) var conversion: Conversion?
    /// The rates of sizes that were asked for by themselves: smaller ones are often faster.
    private var ratesOfSizes: [VideoDimensions: [FrameRateRange]] = [:]

    /// A format of one size.
    ///
    /// - Parameters:
    ///   - pixelFormat: How the bytes are to be read.
    ///   - dimensions: The picture's size in pixels.
    ///   - frameDurations: The frame durations offered.
    public init(
      _ pixelFormat: PixelFormat, dimensions: VideoDimensions,
      frameDurations: [ClosedRange<FrameDuration>] = []
    ) {
      self.init(
        pixelFormat, from: dimensions, through: dimensions,
        by: VideoDimensions(width: 1, height: 1), rates: frameDurations.map(FrameRateRange.init))
    }

    /// A format of many sizes.
    ///
    /// No side is longer than 65 535 pixels, whatever a driver says.
    ///
    /// - Parameters:
    ///   - pixelFormat: How the bytes are to be read.
    ///   - minimum: The smallest size in pixels.
    ///   - maximum: The largest size in pixels, taken up to no less than the smallest, and down to
    ///     the last that lies on the steps.
    ///   - step: What widths and heights grow by; less than 1 counts as 1.
    ///   - frameDurations: The frame durations offered in the largest size.
    public init(
      _ pixelFormat: PixelFormat, from minimum: VideoDimensions, through maximum: VideoDimensions,
      by step: VideoDimensions, frameDurations: [ClosedRange<FrameDuration>] = []
    ) {
      self.init(
        pixelFormat, from: minimum, through: maximum, by: step,
        rates: frameDurations.map(FrameRateRange.init))
    }

    init(
      _ pixelFormat: PixelFormat, from minimum: VideoDimensions, through maximum: VideoDimensions,
      by step: VideoDimensions = VideoDimensions(width: 1, height: 1), rates: [FrameRateRange]
    ) {
      self.pixelFormat = pixelFormat
      let smallest = minimum.clamped(to: 0...PixelLayout.maximumSide)
      let step = step.clamped(to: 1...PixelLayout.maximumSide)
      minimumDimensions = smallest
      maximumDimensions = VideoDimensions(
        width: max(minimum.width, maximum.width), height: max(minimum.height, maximum.height)
      ).clamped(to: 0...PixelLayout.maximumSide).onSteps(step, from: smallest)
      dimensionsStep = step
      videoSupportedFrameRateRanges = Self.sorted(rates)
    }

    private static func sorted(_ rates: [FrameRateRange]) -> [FrameRateRange] {
      rates.sorted {
        ($0.minFrameDuration, $0.maxFrameDuration) < ($1.minFrameDuration, $1.maxFrameDuration)
      }
    }
  }
}

extension VideoDimensions {
  fileprivate func clamped(to sides: ClosedRange<Int>) -> VideoDimensions {
    VideoDimensions(
      width: min(max(width, sides.lowerBound), sides.upperBound),
      height: min(max(height, sides.lowerBound), sides.upperBound))
  }

  /// The last size up to this one that is whole steps away from a smaller one.
  fileprivate func onSteps(
    _ step: VideoDimensions, from smallest: VideoDimensions
  ) -> VideoDimensions {
    VideoDimensions(
      width: width - (width - smallest.width) % step.width,
      height: height - (height - smallest.height) % step.height)
  }
}

extension CaptureDevice.Format {
  /// Whether this is a format of one size.
  public var hasOneSize: Bool { minimumDimensions == maximumDimensions }

  /// The shortest frame duration offered, nil where the driver says nothing.
  public var minFrameDuration: FrameDuration? {
    videoSupportedFrameRateRanges.first?.minFrameDuration
  }

  /// The longest frame duration offered, nil where the driver says nothing.
  public var maxFrameDuration: FrameDuration? {
    videoSupportedFrameRateRanges.map(\.maxFrameDuration).max()
  }

  /// The frame durations offered, each a range, shortest first; empty where the driver says
  /// nothing.
  public var frameDurations: [ClosedRange<FrameDuration>] {
    videoSupportedFrameRateRanges.map { $0.minFrameDuration...$0.maxFrameDuration }
  }

  /// Whether photos and converted frames can be had of it.
  ///
  /// Others (H.264, depth) reach a video data output as they are.
  public var isReadable: Bool {
    pixelFormat.isJPEG || conversion != nil
      || PixelLayout(format: pixelFormat, width: 16, height: 16) != nil
  }

  /// The same format, with what makes pictures of its frames.
  func converted(as conversion: Conversion?) -> Self {
    var format = self
    format.conversion = conversion
    return format
  }

  /// The same format, with the rates of one of its sizes.
  func offering(_ rates: [FrameRateRange], in dimensions: VideoDimensions) -> Self {
    var format = self
    format.ratesOfSizes[dimensions] = Self.sorted(rates)
    return format
  }

  /// Whether the format has exactly this size.
  public func offers(_ dimensions: VideoDimensions) -> Bool {
    (minimumDimensions.width...maximumDimensions.width).contains(dimensions.width)
      && (minimumDimensions.height...maximumDimensions.height).contains(dimensions.height)
      && (dimensions.width - minimumDimensions.width) % dimensionsStep.width == 0
      && (dimensions.height - minimumDimensions.height) % dimensionsStep.height == 0
  }

  /// The same format in one of its sizes; nil where it does not have it.
  ///
  /// Its rates are those of that size where the camera was asked for them, as it is for the sizes
  /// of presets; else those of the next larger size that it was asked for.
  public func narrowed(to dimensions: VideoDimensions) -> Self? {
    guard offers(dimensions) else { return nil }
    return Self(
      pixelFormat, from: dimensions, through: dimensions, rates: rates(in: dimensions)
    ).converted(as: conversion)
  }

  private func rates(in dimensions: VideoDimensions) -> [FrameRateRange] {
    if let rates = ratesOfSizes[dimensions] { return rates }
    let larger = ratesOfSizes.filter {
      $0.key.width >= dimensions.width && $0.key.height >= dimensions.height
    }
    let next = larger.min {
      ($0.key.pixelCount, $0.key.width) < ($1.key.pixelCount, $1.key.width)
    }
    return next?.value ?? videoSupportedFrameRateRanges
  }

  /// What a stream is asked for: this format in its largest size.
  ///
  /// - Parameter frameDuration: The time between frames; nil for the shortest that is offered.
  /// - Returns: A request for one size and one frame duration.
  public func request(frameDuration: FrameDuration? = nil) -> CaptureFormat {
    CaptureFormat(
      pixelFormat: pixelFormat, dimensions: maximumDimensions,
      frameDuration: frameDuration ?? minFrameDuration)
  }
}

// MARK: - CustomStringConvertible

extension CaptureDevice.Format: CustomStringConvertible {
  /// Pixel format, size or sizes, the highest rate, and what converts it: `MJPG 1280x720 30 fps`,
  /// `GRBG 1280x720 30 fps, converted by libv4lconvert`.
  public var description: String {
    let size =
      hasOneSize ? "\(maximumDimensions)" : "\(minimumDimensions)...\(maximumDimensions)"
    let rate = minFrameDuration.map { " \($0.rateText) fps" } ?? ""
    let note = conversion.map { ", \($0)" } ?? ""
    return "\(pixelFormat) \(size)\(rate)\(note)"
  }
}
