import CSDL2

/// What SDL has lent: the window and what draws on it, given back in order when no picture needs
/// them any more.
final class Canvas {
  let window: OpaquePointer
  let renderer: OpaquePointer

  init(title: String, width: Int, height: Int, isFullScreen: Bool) throws(WindowError) {
    // Signals are the program's own matter.
    SDL_SetHint(SDL_HINT_NO_SIGNAL_HANDLERS, "1")
    SDL_SetHint(SDL_HINT_RENDER_SCALE_QUALITY, "linear")
    SDL_SetHint(SDL_HINT_VIDEO_ALLOW_SCREENSAVER, "1")
    SDL_SetHint(SDL_HINT_APP_NAME, title)
    guard SDL_Init(Self.videoOnly) == 0 else {
      throw WindowError(
        "There is no screen to open a window on: start it in a desktop or on a console, or name a "
          + "driver in SDL_VIDEODRIVER, x11, wayland or kmsdrm")
    }
    // The screen's own size from the start: kiosks have no window manager that would see to it.
    var place = SDL_Rect(
      x: Self.centered, y: Self.centered, w: Int32(clamping: width), h: Int32(clamping: height))
    if isFullScreen { SDL_GetDisplayBounds(0, &place) }
    let flags =
      SDL_WINDOW_RESIZABLE.rawValue | SDL_WINDOW_ALLOW_HIGHDPI.rawValue
      | (isFullScreen ? SDL_WINDOW_FULLSCREEN_DESKTOP.rawValue : 0)
    guard
      let window = SDL_CreateWindow(
        title, place.x, place.y, place.w, place.h, flags)
    else {
      defer { SDL_Quit() }
      throw WindowError("The window cannot be opened")
    }
    guard
      let renderer = SDL_CreateRenderer(window, -1, SDL_RENDERER_PRESENTVSYNC.rawValue)
        ?? SDL_CreateRenderer(window, -1, SDL_RENDERER_SOFTWARE.rawValue)
    else {
      defer {
        SDL_DestroyWindow(window)
        SDL_Quit()
      }
      throw WindowError("Nothing can be drawn on the window")
    }
    self.window = window
    self.renderer = renderer
    SDL_SetRenderDrawBlendMode(renderer, SDL_BLENDMODE_BLEND)
  }

  deinit {
    SDL_DestroyRenderer(renderer)
    SDL_DestroyWindow(window)
    SDL_Quit()
  }

  /// Neither sound nor game controllers, which SDL would have to look after.
  private static let videoOnly: UInt32 = SDL_INIT_VIDEO
  /// `SDL_WINDOWPOS_CENTERED`, a macro that Swift cannot read.
  private static let centered: Int32 = 0x2FFF_0000
}
