extension PhotoLibrary {
  /// Pictures and movies, the newest first; those of the same moment by their paths.
  ///
  /// The first call after ``init(folders:cacheDirectory:)`` answers from the index of the last time.
  /// Where there is none it waits until the folders have been walked through; dates are those of the
  /// files then, and ``changes`` tells when they are known better.
  ///
  /// - Parameters:
  ///   - album: The album; nil for all of the library.
  ///   - mediaTypes: What is wanted.
  ///   - range: Which of them, counted from 0. Where there are fewer, fewer are returned.
  /// - Returns: The assets.
  /// - Throws: `CancellationError` where the task was cancelled first.
  public func assets(
    in album: Album? = nil, mediaTypes: Set<PickerMediaType> = .imagesAndMovies,
    range: Range<Int>
  ) async throws -> [Asset] {
    []
  }

  /// How many there are.
  ///
  /// - Parameters:
  ///   - album: The album; nil for all of the library.
  ///   - mediaTypes: What is counted.
  /// - Returns: The count of what ``assets(in:mediaTypes:range:)`` has.
  /// - Throws: `CancellationError` where the task was cancelled first.
  public func assetCount(
    in album: Album? = nil, mediaTypes: Set<PickerMediaType> = .imagesAndMovies
  ) async throws -> Int {
    0
  }

  /// The asset of a name, as it is now.
  ///
  /// - Parameter id: The name.
  /// - Returns: nil where the library has none of this name, or no longer.
  /// - Throws: `CancellationError` where the task was cancelled first.
  public func asset(withID id: Asset.ID) async throws -> Asset? { nil }

  /// The folders within the library's folders, by their paths.
  ///
  /// - Returns: The albums, empty ones too.
  /// - Throws: `CancellationError` where the task was cancelled first.
  public func albums() async throws -> [Album] { [] }

  /// Waits until the folders have been walked through and all files have been asked for their dates:
  /// the order is final then, but for what others do.
  ///
  /// - Throws: `CancellationError` where the task was cancelled first.
  public func settled() async throws {}
}
