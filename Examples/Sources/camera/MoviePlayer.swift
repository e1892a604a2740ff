import CameraScreens
import CaptureKitMovie
import Foundation
import Imaging
import Synchronization
import TerminalPicture

/// Shows a movie's frames at their own pace; a terminal that is slower gets fewer.
final class MoviePlayer: Sendable {
  /// Where frames go.
  struct Stage {
    var scene: Painter.Scene
    var canvas: PictureCanvas
  }

  private let reader: MovieReader
  private let painter: Painter
  private let tell: @Sendable (CameraMachine.Event) -> Void
  private let stage: Mutex<Stage>
  private let task = Mutex<Task<Void, Never>?>(nil)

  init(
    _ reader: MovieReader, _ painter: Painter, _ stage: Stage,
    _ tell: @escaping @Sendable (CameraMachine.Event) -> Void
  ) {
    (self.reader, self.painter, self.tell) = (reader, painter, tell)
    self.stage = Mutex(stage)
  }

  deinit { task.withLock { $0 }?.cancel() }

  /// Goes on elsewhere, as after a resize.
  func move(to stage: Stage) { self.stage.withLock { $0 = stage } }

  func obey(_ command: Playback.Command) {
    let new: Task<Void, Never>? =
      switch command {
      case .hold: nil
      case .show(let time): Task { await self.run(from: time, number: nil) }
      case .run(let time, let number): Task { await self.run(from: time, number: number) }
      }
    task.withLock { task in
      defer { task = new }
      return task
    }?.cancel()
  }

  /// Shows frames until the movie's end.
  ///
  /// - Parameters:
  ///   - start: The time of the first one.
  ///   - number: What the run is called; nil to show one frame.
  private func run(from start: Duration, number: Int?) async {
    // When the movie's begin would have been.
    var begin: ContinuousClock.Instant?
    var lastShown = ContinuousClock.now
    do {
      for try await frame in reader.frames(from: start) {
        let due = (begin ?? .now - start) + max(frame.time, start)
        if begin == nil { begin = due - max(frame.time, start) }
        guard let number else { return await paint(frame.image) }
        try await Task.sleep(until: due)
        let isLate = ContinuousClock.now > due + (frame.duration ?? .milliseconds(40))
        if isLate, lastShown.duration(to: .now) < .milliseconds(500) { continue }
        await paint(frame.image)
        guard !Task.isCancelled else { return }
        lastShown = .now
        tell(.played(frame.time, number: number))
      }
      if let number, !Task.isCancelled { tell(.playedAll(number: number)) }
    } catch let error as MovieError {
      tell(.refused("\(error)"))
    } catch {
      // The run has been replaced.
    }
  }

  private func paint(_ image: Image) async {
    let stage = stage.withLock { $0 }
    await withCheckedContinuation { continuation in
      painter.paint(stage.scene) {
        var sheet = PictureSheet(stage.canvas)
        try? sheet.draw(image, in: sheet.fit(image), quality: .fast)
        return sheet.pixels
      } completion: {
        continuation.resume()
      }
    }
  }
}

extension PictureSheet {
  /// The frame that shows all of a picture.
  func fit(_ image: Image) -> CGRect {
    let size: PixelSize = image.size
    return Self.fit(size.width, size.height, in: CGRect(origin: .zero, size: self.size))
  }
}
