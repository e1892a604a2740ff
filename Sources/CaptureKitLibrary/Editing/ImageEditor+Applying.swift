public import Imaging

extension ImageEditor {
  /// How a picture came to be what the editor shows.
  public enum Outcome: Hashable, Sendable {
    /// There was nothing to do: it is the picture itself.
    case unchanged
    /// A part was cut out or turned, and each of its pixels is what it was.
    case lossless
    /// As `lossless`; the odd pixels at an edge were cut off, too.
    case trimmed
    /// The part was decoded and encoded again: the blocks of the JPEG did not allow otherwise.
    case reencoded
  }

  /// Makes the picture that the editor shows, at its full resolution.
  ///
  /// Of a JPEG the blocks of samples that make up the part are moved without decoding where the
  /// part's left and upper edge, as stored, lie between two of them; a turn that they do not allow
  /// is told by the orientation tag. Otherwise the picture is encoded again, once. Other pictures
  /// are cut and turned in pixels. What the file says of itself stays.
  ///
  /// Decodes on the caller's thread, within the picture's own limits: call it where that may take
  /// its time.
  ///
  /// - Parameters:
  ///   - image: The picture; its size must be ``imageSize``.
  ///   - oddEdges: What to do where a JPEG's blocks do not allow it: encode again at a quality of
  ///     0.95 unless said otherwise.
  /// - Returns: The picture, of ``outputSize`` unless it was trimmed, and how it was made.
  /// - Throws: ``LibraryError`` with the code `cannotEdit`: the picture has another size, is
  ///   damaged, asks for more than its limits allow, or is of a kind that cannot be changed.
  public func apply(
    to image: Image, oddEdges: OddEdges = .reencode()
  ) throws(LibraryError) -> (image: Image, outcome: Outcome) {
    let size: PixelSize = image.size
    guard size == imageSize else {
      throw LibraryError(
        .cannotEdit,
        "The picture has \(size) pixels, and the editor was made for \(imageSize): make another.")
    }
    guard !isUnchanged else { return (image, .unchanged) }
    do throws(ImagingError) {
      let (edited, outcome) = try image.part(
        cropRect, quarterTurns: quarterTurns, oddEdges: oddEdges)
      return (edited, Outcome(outcome))
    } catch {
      throw LibraryError(
        .cannotEdit, "The picture cannot be edited: \(error)", errno: error.errno)
    }
  }
}

extension ImageEditor.Outcome {
  fileprivate init(_ outcome: JPEGTransform.Outcome) {
    self =
      switch outcome {
      // The tag alone turned it: no pixel has changed.
      case .lossless, .tagged: .lossless
      case .trimmed: .trimmed
      case .reencoded: .reencoded
      }
  }
}
