import Dispatch
import Imaging
import Selfies
import Synchronization
import Window

/// What the main thread is told by others.
enum Message: Sendable {
  /// The camera's matters.
  case capture(SelfieCaptureController.Event)
  /// The capture controller has ended, with a photo or without.
  case captureEnded(hasPhoto: Bool)
  /// The preview has another image.
  case preview
  /// The album's list.
  case selfies([Selfie])
  /// A photo is in the album.
  case kept(Selfie)
  /// A picture to be shown for a selfie, BGRA.
  case picture(Selfie, PixelBuffer, isSmall: Bool)
  /// A selfie's file has another name, without its folder.
  case renamed(Selfie, to: String)
  /// A selfie is in the trash.
  case deleted(Selfie)
  /// Something to be told to the user: a failure, for one.
  case notice(String)
  /// The program is to end.
  case stop
}

/// Has done elsewhere what takes time, and brings the main thread the results.
final class Errands: Sendable {
  private let bell: WindowBell
  private let messages = Mutex<[Message]>([])
  private let work = DispatchGroup()

  init(bell: WindowBell) { self.bell = bell }

  /// Leaves a message for the main thread.
  func post(_ message: Message) {
    messages.withLock { $0.append(message) }
    bell.ring()
  }

  /// The messages that came since the last time, in order.
  func take() -> [Message] {
    messages.withLock { messages in
      defer { messages = [] }
      return messages
    }
  }

  /// Runs something, and posts what comes out; a failure as a notice.
  func run(_ body: @escaping @Sendable () async throws -> Message?) {
    work.enter()
    Task {
      defer { work.leave() }
      do {
        if let message = try await body() { post(message) }
      } catch is CancellationError {
      } catch {
        post(.notice("\(error)"))
      }
    }
  }

  /// Waits until all that runs is done, five seconds at most: photos are to be kept.
  func finish() { _ = work.wait(timeout: .now() + 5) }
}
