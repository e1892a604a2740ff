/// How pictures are to be shown.
public struct PictureWish: Hashable, Sendable {
  /// By what.
  public enum Graphics: String, CaseIterable, Sendable {
    /// What the terminal has.
    case automatic = "auto"
    /// Kitty's graphics protocol.
    case kitty
    /// Coloured half blocks, which every terminal has.
    case blocks
  }

  /// The colours of half blocks.
  public enum Colors: String, CaseIterable, Sendable {
    /// What the environment says.
    case automatic = "auto"
    /// 24 bits.
    case truecolor
    /// xterm's palette.
    case palette = "256"
  }

  /// By what.
  public var graphics: Graphics
  /// The colours of half blocks.
  public var colors: Colors

  /// A wish; without one, whatever is best.
  public init(graphics: Graphics = .automatic, colors: Colors = .automatic) {
    self.graphics = graphics
    self.colors = colors
  }
}

/// How pictures are shown.
enum PictureStyle: Hashable {
  case kitty
  case halfBlocks(ColorDepth)
}

/// What the environment says of a terminal, before that itself is asked.
struct TerminalKind: Hashable, Sendable {
  /// Whether it can place its cursor at all.
  let isCapable: Bool
  let colors: ColorDepth
  /// Whether it may be asked for Kitty's graphics: tmux and screen would take the question for a title.
  let mayBeAskedForKitty: Bool

  init(_ environment: [String: String]) {
    let name = environment["TERM"] ?? ""
    isCapable = !["", "dumb", "unknown"].contains(name)
    let isMultiplexer =
      environment["TMUX"] != nil || name.hasPrefix("tmux") || name.hasPrefix("screen")
    mayBeAskedForKitty = !isMultiplexer
    let saysTrueColor = ["truecolor", "24bit"].contains(environment["COLORTERM"]?.lowercased())
    // Those that are known by name lose the variable on their way through ssh.
    let words = [
      "direct", "truecolor", "kitty", "ghostty", "alacritty", "foot", "wezterm", "contour",
    ]
    colors = saysTrueColor || words.contains { name.contains($0) } ? .truecolor : .palette
  }

  func style(_ wish: PictureWish, hasKittyGraphics: Bool) -> PictureStyle {
    if wish.graphics == .kitty || (wish.graphics == .automatic && hasKittyGraphics) {
      return .kitty
    }
    return switch wish.colors {
    case .automatic: .halfBlocks(colors)
    case .truecolor: .halfBlocks(.truecolor)
    case .palette: .halfBlocks(.palette)
    }
  }
}
