import Dispatch
import Imaging
import Synchronization
import TerminalPicture

/// Brings pictures to the terminal one after the other, none of a scene that is over.
///
/// What draws a picture, and waits for the terminal, holds up no task.
final class Painter: Sendable {
  /// What is shown until something else is.
  typealias Scene = Int

  private let screen: TerminalScreen
  private let scene = Mutex(0)
  private let queue = DispatchQueue(label: "camera.painter")

  init(_ screen: TerminalScreen) { self.screen = screen }

  /// Begins a scene: pictures of those before are left out.
  func begin() -> Scene {
    scene.withLock { scene in
      scene += 1
      return scene
    }
  }

  /// Shows a picture; waits until the terminal has it.
  func show(_ pixels: PixelBuffer, of scene: Scene) {
    queue.sync { if isCurrent(scene) { screen.show(pixels) } }
  }

  /// Draws a picture and shows it.
  ///
  /// - Parameters:
  ///   - scene: What it belongs to.
  ///   - draw: Makes the picture; nil for none.
  ///   - completion: Called when it is shown or left out.
  func paint(
    _ scene: Scene, _ draw: @escaping @Sendable () -> PixelBuffer?,
    completion: @escaping @Sendable () -> Void = {}
  ) {
    queue.async { [self] in
      if isCurrent(scene), let pixels = draw() { screen.show(pixels) }
      completion()
    }
  }

  private func isCurrent(_ scene: Scene) -> Bool { self.scene.withLock { $0 == scene } }
}
