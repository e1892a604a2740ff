/// A kind of media that a library has and a picker offers: Apple's uniform type identifiers
/// `kUTTypeImage` and `kUTTypeMovie`.
public struct PickerMediaType: RawRepresentable, Hashable, Sendable {
  /// The uniform type identifier, `"public.image"`.
  public let rawValue: String

  /// Takes an identifier as it is; the library and the picker know only those that have names here.
  ///
  /// - Parameter rawValue: The uniform type identifier.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Pictures: `"public.image"`.
  public static let image = PickerMediaType(rawValue: "public.image")
  /// Movies, with sound or without: `"public.movie"`.
  public static let movie = PickerMediaType(rawValue: "public.movie")
}

extension Set<PickerMediaType> {
  /// Pictures and movies: all that there is.
  public static let imagesAndMovies: Set<PickerMediaType> = [.image, .movie]
}

// MARK: - CustomStringConvertible

extension PickerMediaType: CustomStringConvertible {
  /// The identifier.
  public var description: String { rawValue }
}
