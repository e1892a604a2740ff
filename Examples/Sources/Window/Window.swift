import CSDL2
public import Foundation
public import Imaging

/// A window on X11, Wayland or a bare console: what is tapped and typed comes out, rectangles,
/// pictures and text go in.
///
/// The room for SDL: nothing of it is seen from outside. All sizes are pixels; ``scale`` says how
/// many of them are one unit of length on this screen. Belongs to the main thread; only the ``bell``
/// may be used from others.
public final class Window {
  /// Wakes the thread that waits in ``nextEvent(within:)``.
  public let bell = WindowBell()
  let canvas: Canvas
  private var texts: [TextKey: Picture] = [:]

  private struct TextKey: Hashable {
    var text: String, size: Double, width: Double, isWrapped: Bool
  }

  /// Opens a window.
  ///
  /// - Parameters:
  ///   - title: What the desktop calls it.
  ///   - width: Its width in units.
  ///   - height: Its height in units.
  ///   - isFullScreen: Whether it fills the screen instead.
  /// - Throws: ``WindowError`` where there is no screen.
  public init(
    title: String, width: Int, height: Int, isFullScreen: Bool = false
  ) throws(WindowError) {
    canvas = try Canvas(title: title, width: width, height: height, isFullScreen: isFullScreen)
    SDL_StopTextInput()
    SDL_StartTextInput()
  }

  /// The size in pixels.
  public var size: CGSize {
    var (width, height) = (Int32(0), Int32(0))
    SDL_GetRendererOutputSize(canvas.renderer, &width, &height)
    return CGSize(width: Int(width), height: Int(height))
  }

  /// Pixels in a unit; above 1 on screens of high density.
  public var scale: Double {
    var (width, height) = (Int32(0), Int32(0))
    SDL_GetWindowSize(canvas.window, &width, &height)
    return width > 0 ? size.width / Double(width) : 1
  }

  /// Whether it fills the screen. On X11 it is a window manager that sees to changes.
  public var isFullScreen: Bool {
    get { SDL_GetWindowFlags(canvas.window) & SDL_WINDOW_FULLSCREEN.rawValue != 0 }
    set {
      SDL_SetWindowFullscreen(
        canvas.window, newValue ? SDL_WINDOW_FULLSCREEN_DESKTOP.rawValue : 0)
    }
  }
}

@available(*, unavailable)
extension Window: Sendable {}

// MARK: - Events

extension Window {
  /// Waits for something to happen.
  ///
  /// - Parameter seconds: How long; nil for as long as it takes.
  /// - Returns: What has happened; nil where nothing has that matters.
  public func nextEvent(within seconds: Double? = nil) -> WindowEvent? {
    var event = SDL_Event()
    let came =
      if let seconds {
        SDL_WaitEventTimeout(&event, Int32(clamping: Int(seconds * 1000)))
      } else {
        SDL_WaitEvent(&event)
      }
    return came == 1 ? translate(event) : nil
  }

  private func translate(_ event: SDL_Event) -> WindowEvent? {
    switch SDL_EventType(event.type) {
    case SDL_QUIT: return .close
    case SDL_KEYDOWN: return Self.keys[event.key.keysym.sym].map { .key($0) }
    case SDL_TEXTINPUT:
      let text = withUnsafeBytes(of: event.text.text) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      return text.isEmpty ? nil : .text(text)
    // A tap comes as a click too.
    case SDL_MOUSEBUTTONDOWN where event.button.button == UInt8(SDL_BUTTON_LEFT):
      return .tap(CGPoint(x: Double(event.button.x) * scale, y: Double(event.button.y) * scale))
    case SDL_MOUSEWHEEL: return .scroll(Double(event.wheel.preciseY))
    case SDL_WINDOWEVENT where Self.changes.contains(SDL_WindowEventID(UInt32(event.window.event))):
      return .changed
    case SDL_RENDER_TARGETS_RESET, SDL_RENDER_DEVICE_RESET:
      texts = [:]
      return .changed
    case SDL_USEREVENT:
      bell.answer()
      return .rung
    default: return nil
    }
  }

  private static let changes = [
    SDL_WINDOWEVENT_SIZE_CHANGED, SDL_WINDOWEVENT_EXPOSED, SDL_WINDOWEVENT_SHOWN,
  ]
  private static let keys: [SDL_Keycode: WindowEvent.Key] = {
    let pairs: [(SDL_KeyCode, WindowEvent.Key)] = [
      (SDLK_ESCAPE, .escape), (SDLK_AC_BACK, .escape), (SDLK_RETURN, .enter),
      (SDLK_KP_ENTER, .enter), (SDLK_BACKSPACE, .backspace), (SDLK_DELETE, .delete),
      (SDLK_LEFT, .left), (SDLK_RIGHT, .right), (SDLK_UP, .up), (SDLK_DOWN, .down),
      (SDLK_PAGEUP, .pageUp), (SDLK_PAGEDOWN, .pageDown),
    ]
    return Dictionary(uniqueKeysWithValues: pairs.map { (SDL_Keycode($0.0.rawValue), $0.1) })
  }()
}

// MARK: - Drawing

extension Window {
  /// A colour with an opacity, each from 0 to 255.
  public struct Color: Hashable, Sendable {
    let red, green, blue, opacity: UInt8

    /// Names a shade of grey.
    public init(grey: UInt8, opacity: UInt8 = 255) {
      (red, green, blue) = (grey, grey, grey)
      self.opacity = opacity
    }

    /// Names a colour.
    public init(red: UInt8, green: UInt8, blue: UInt8, opacity: UInt8 = 255) {
      (self.red, self.green, self.blue, self.opacity) = (red, green, blue, opacity)
    }
  }

  /// Shows what is drawn.
  ///
  /// - Parameter draw: Draws all of the window, on a dark ground.
  public func redraw(_ draw: () -> Void) {
    SDL_SetRenderDrawColor(canvas.renderer, 24, 24, 24, 255)
    SDL_RenderClear(canvas.renderer)
    draw()
    SDL_RenderPresent(canvas.renderer)
  }

  /// Fills a rectangle.
  public func fill(_ rect: CGRect, _ color: Color) {
    SDL_SetRenderDrawColor(canvas.renderer, color.red, color.green, color.blue, color.opacity)
    var target = SDL_FRect(rect)
    SDL_RenderFillRectF(canvas.renderer, &target)
  }

  /// Draws a picture, stretched to a rectangle.
  public func draw(_ picture: Picture, in rect: CGRect) {
    var target = SDL_FRect(rect)
    SDL_RenderCopyF(canvas.renderer, picture.texture, nil, &target)
  }

  /// Draws a picture in its own shape in the middle of a rectangle, all of it.
  public func draw(_ picture: Picture, fittedInto rect: CGRect) {
    let ratio = min(rect.width / Double(picture.width), rect.height / Double(picture.height))
    let size = CGSize(width: Double(picture.width) * ratio, height: Double(picture.height) * ratio)
    draw(
      picture,
      in: CGRect(
        x: rect.midX - size.width / 2, y: rect.midY - size.height / 2, width: size.width,
        height: size.height))
  }

  /// Makes a picture that can be drawn.
  ///
  /// - Parameter pixels: BGRA pixels.
  /// - Returns: nil where the graphics hardware has no room for it, or the pixels are no BGRA.
  public func picture(of pixels: PixelBuffer) -> Picture? {
    Picture(canvas, width: pixels.width, height: pixels.height).flatMap { picture in
      picture.show(pixels) ? picture : nil
    }
  }

  /// A text as a picture, white on nothing; painted once and kept while there are few others.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - size: The height of its letters in pixels.
  ///   - width: The most pixels in a row.
  ///   - isWrapped: Whether it goes on in the next line; else it is cut off.
  /// - Returns: nil for an empty text.
  public func text(
    _ text: String, size: Double, width: Double, isWrapped: Bool = false
  ) -> Picture? {
    let key = TextKey(text: text, size: size, width: width, isWrapped: isWrapped)
    if let picture = texts[key] { return picture }
    if texts.count > 256 { texts = [:] }
    let picture = TextPainter.paint(text, size: size, width: width, isWrapped: isWrapped)
      .flatMap { self.picture(of: $0) }
    texts[key] = picture
    return picture
  }
}

extension SDL_FRect {
  fileprivate init(_ rect: CGRect) {
    self.init(
      x: Float(rect.minX), y: Float(rect.minY), w: Float(rect.width), h: Float(rect.height))
  }
}
