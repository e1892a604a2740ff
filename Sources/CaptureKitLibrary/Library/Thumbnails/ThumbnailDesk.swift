import Dispatch
import Foundation
import ImageCache
import Imaging
import LinuxSystem
import Synchronization

/// Makes thumbnails, a few at a time, and keeps them.
final class ThumbnailDesk: Sendable {
  private typealias Outcome = Result<Image, LibraryError>
  private typealias Waiter = CheckedContinuation<Outcome?, Never>

  private let folder: URL
  private let line: Mutex<ThumbnailLine<ThumbnailRequest, Waiter>>
  private let workers = DispatchQueue(label: "PhotoLibrary.thumbnails", attributes: .concurrent)
  private let cleaner = DispatchQueue(label: "PhotoLibrary.cleaner", qos: .utility)
  private let cache = Mutex(Cache.unopened)
  /// A few thousand thumbnails; others go before.
  private static let byteLimit = 512 << 20
  private static let ageLimit = Duration.seconds(90 * 86_400)
  /// Above this those that are outdated go as all do that nobody asks for.
  private static let dropLimit = 1000

  private enum Cache {
    case unopened
    case open(ImageStore)
    /// Nothing can be kept there.
    case unusable

    var isUnopened: Bool { if case .unopened = self { true } else { false } }
  }

  init(folder: URL, width: Int = max(1, ProcessInfo.processInfo.activeProcessorCount)) {
    self.folder = folder
    line = Mutex(ThumbnailLine(width: width))
  }

  /// A thumbnail, from the cache or made now.
  func thumbnail(_ request: ThumbnailRequest) async throws -> Image {
    let number = line.withLock { $0.newNumber() }
    defer { line.withLock { $0.end(number) } }
    let outcome = await withTaskCancellationHandler {
      await withCheckedContinuation { (waiter: Waiter) in
        switch line.withLock({ $0.join(request, number, waiter) }) {
        case .waits: break
        case .needsWorker: workers.async { self.work() }
        case .hasLeft(let waiter): waiter.resume(returning: nil)
        }
      }
    } onCancel: {
      line.withLock { $0.leave(number) }?.resume(returning: nil)
    }
    guard let outcome else { throw CancellationError() }
    return try outcome.get()
  }

  private func work() {
    while let request = line.withLock({ $0.next() }) {
      let outcome = Result { () throws(LibraryError) in try make(request) }
      for waiter in line.withLock({ $0.finish(request) }) { waiter.resume(returning: outcome) }
    }
  }

  /// Lets go of thumbnails of files that have changed or gone.
  func drop(_ outdated: [(path: RawPath, stamp: FileStamp)]) {
    guard !outdated.isEmpty, outdated.count <= Self.dropLimit else { return }
    cleaner.async {
      // What nobody has opened may be there from the last time.
      guard let store = self.store(opening: FileTree.realPath(self.folder.path) != nil) else {
        return
      }
      for file in outdated {
        for key in ThumbnailRequest.keys(file.path, file.stamp) {
          try? store.deleteImage(forKey: key)
        }
      }
    }
  }
}

// MARK: - Making

extension ThumbnailDesk {
  private func make(_ request: ThumbnailRequest) throws(LibraryError) -> Image {
    guard let size = request.keptSize, let store = store(opening: true) else {
      return try draw(request, request.maxPixelSize)
    }
    let key = ThumbnailRequest.key(request.path, request.stamp, size: size)
    if let kept = try? store.thumbnail(forKey: key, maxPixelSize: request.maxPixelSize) {
      return kept
    }
    let picture = try draw(request, size)
    if let data = Self.encoded(picture, of: request) {
      try? store.setEncodedData(data, forKey: key)
      if let kept = try? store.thumbnail(forKey: key, maxPixelSize: request.maxPixelSize) {
        return kept
      }
    }
    // Nothing can be kept: the disk is full, for one.
    return try Self.wrapping(request.path) { () throws(ImagingError) in
      try picture.thumbnail(maxPixelSize: request.maxPixelSize)
    }
  }

  private func draw(_ request: ThumbnailRequest, _ size: Int) throws(LibraryError) -> Image {
    if request.isMovie { return try MovieLook.poster(of: request.path, maxPixelSize: size) }
    return try PictureReading.with(request.path) { url throws(ImagingError) in
      try Image.thumbnail(contentsOf: url, maxPixelSize: size)
    }
  }

  /// PNG keeps transparency; photos have none.
  private static func encoded(_ picture: Image, of request: ThumbnailRequest) -> Data? {
    let beginning = try? OpenFile(reading: request.path).beginning(32, request.path.shown)
    let isPNG = beginning.flatMap { ImageFormat(recognizing: $0.span.bytes) } == .png
    return isPNG ? picture.pngData() : picture.jpegData(compressionQuality: 0.9)
  }

  private static func wrapping(
    _ path: RawPath, _ body: () throws(ImagingError) -> Image
  ) throws(LibraryError) -> Image {
    do {
      return try body()
    } catch {
      throw LibraryError(error, reading: path)
    }
  }

  /// The cache. Opening it waits for the disk, so not within the lock: of two the first counts.
  private func store(opening: Bool) -> ImageStore? {
    let (known, isUnopened) = cache.withLock { cache -> (ImageStore?, Bool) in
      if case .open(let store) = cache { return (store, false) }
      return (nil, cache.isUnopened)
    }
    guard isUnopened, opening else { return known }
    var options = ImageStore.DiskOptions()
    options.durability = .processCrash
    options.maximumByteCount = Self.byteLimit
    options.maximumAge = Self.ageLimit
    let opened = try? ImageStore(directory: folder, disk: options)
    return cache.withLock { cache in
      if case .open(let store) = cache { return store }
      cache = opened.map { .open($0) } ?? .unusable
      return opened
    }
  }
}
