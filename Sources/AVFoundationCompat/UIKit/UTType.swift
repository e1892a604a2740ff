/// A kind of media; as much of UniformTypeIdentifiers' `UTType` as a picker is asked with.
public struct UTType: Hashable, Sendable {
  /// The uniform type identifier.
  public let identifier: String

  private init(known identifier: String) { self.identifier = identifier }

  /// Pictures, `public.image`.
  public static let image = UTType(known: "public.image")
  /// Movies, `public.movie`.
  public static let movie = UTType(known: "public.movie")
}

/// The uniform type identifier of pictures; a `String` here, and `as String` still compiles.
public let kUTTypeImage: String = UTType.image.identifier
/// The uniform type identifier of movies; a `String` here, and `as String` still compiles.
public let kUTTypeMovie: String = UTType.movie.identifier
