import CaptureKitLibrary
import CaptureKitLinux
import ExampleSupport
import Foundation
import Selfies
import Window

/// The program: one screen after the other in one window, all on the main thread.
final class App {
  let window: Window
  let album: SelfieAlbum
  let errands: Errands
  let orientation: any DeviceOrientationSource
  let simulation: Simulation?
  private(set) var selfies: [Selfie] = []
  /// What the user is told until the next key.
  var notice: String?
  private let isVerbose: Bool
  private lazy var list = ListScreen(self)
  private var screen: (any Screen)?
  private var page: Page?
  /// The file that is to be selected when it is in the list.
  private var awaited: String?
  private var flashBegan: ContinuousClock.Instant?
  private var isOver = false

  init(_ window: Window, _ album: SelfieAlbum, _ simulation: Simulation?, isVerbose: Bool) {
    (self.window, self.album, self.simulation) = (window, album, simulation)
    self.isVerbose = isVerbose
    errands = Errands(bell: window.bell)
    orientation =
      simulation?.orientation ?? (try? AccelerometerDeviceOrientation())
      ?? ManualDeviceOrientation()
  }

  /// Runs until the user, or a signal, ends it.
  func run() {
    let signals = StopSignals { [errands] in errands.post(.stop) }
    requestList()
    let following = Task { [album, errands] in
      for await _ in album.changes { errands.run { .selfies(try await album.selfies()) } }
    }
    takeSelfie()
    draw()
    while !isOver {
      let isChanged = handle(window.nextEvent(within: flashBegan == nil ? nil : 0.015))
      // All that has happened is drawn at once.
      while !isOver, handle(window.nextEvent(within: 0)) {}
      if !isOver, isChanged || flashBegan != nil { draw() }
    }
    following.cancel()
    screen?.leave()
    screen = nil
    errands.finish()
    withExtendedLifetime(signals) {}
  }

  /// Tells scripts what happens, where they asked for it.
  func report(_ line: String) { if isVerbose { try? printLine(line) } }
}

// MARK: - From screen to screen

extension App {
  /// Shows the preview.
  func takeSelfie() { show(CaptureScreen(self)) }

  /// Shows the list.
  func showList(selecting id: Selfie.ID?) {
    if let id { list.select(id) }
    show(list)
    report("list \(selfies.count)")
  }

  /// Shows one selfie.
  func open(_ selfie: Selfie) {
    show(SelfieScreen(self, selfie))
    report("open \(selfie.url.lastPathComponent)")
  }

  /// Shows a selfie's neighbour, where it has one.
  func open(nextTo selfie: Selfie, by distance: Int) {
    guard let index = selfies.firstIndex(where: { $0.id == selfie.id }) else { return }
    if selfies.indices.contains(index + distance) { open(selfies[index + distance]) }
  }

  /// Ends the program.
  func end() { isOver = true }

  private func requestList() { errands.run { [album] in .selfies(try await album.selfies()) } }

  /// Selects a file, which may be in the list already or come with the next change.
  private func select(whenListed name: String) {
    awaited = name
    requestList()
  }

  private func show(_ next: any Screen) {
    screen?.leave()
    screen = next
  }
}

// MARK: - What happens

extension App {
  /// - Returns: Whether there may be something else to be seen.
  @discardableResult
  private func handle(_ event: WindowEvent?) -> Bool {
    guard let event else { return false }
    switch event {
    case .rung: for message in errands.take() { handle(message) }
    case .close: end()
    case .changed: break
    case .tap(let point):
      notice = nil
      if page?.press(at: point) != true { screen?.handle(event) }
    case .text("f") where screen?.isEditing != true: window.isFullScreen.toggle()
    case .text, .key:
      notice = nil
      screen?.handle(event)
    case .scroll: screen?.handle(event)
    }
    return true
  }

  private func handle(_ message: Message) {
    switch message {
    case .selfies(let selfies):
      self.selfies = selfies
      report("selfies \(selfies.count)")
      if let new = selfies.first(where: { $0.url.lastPathComponent == awaited }) {
        awaited = nil
        list.select(new.id)
        report("selected \(new.url.lastPathComponent)")
      }
    case .kept(let selfie):
      report("kept \(selfie.url.path)")
      select(whenListed: selfie.url.lastPathComponent)
    case .captureEnded(let hasPhoto):
      report(hasPhoto ? "photo" : "cancelled")
      if screen is CaptureScreen { showList(selecting: nil) }
    case .renamed(_, let name):
      report("renamed \(name)")
      select(whenListed: name)
    case .deleted(let selfie):
      report("deleted \(selfie.url.lastPathComponent)")
      notice = "“\(selfie.title)” is in the trash now."
      requestList()
    case .notice(let sentence):
      notice = sentence
      report("notice \(sentence)")
    case .stop: end()
    case .capture, .preview, .picture: break
    }
    // Small pictures may come when the list is no more shown, or not yet.
    if case .picture(_, _, isSmall: true) = message { list.handle(message) }
    screen?.handle(message)
  }
}

// MARK: - Drawing

extension App {
  /// Begins the shutter's flash.
  func flash() {
    flashBegan = .now
    report("shutter")
  }

  /// The last lines of a page: what the user is to know, or which keys there are.
  func help(_ keys: String) -> [(text: String, points: Double)] {
    let isPreview = screen is CaptureScreen
    let hint = simulation.map { _ in isPreview ? Simulation.hint : "The cameras are simulated" }
    return [notice ?? keys, hint].compactMap { $0 }.map { (text: $0, points: 13.0) }
  }

  private func draw() {
    let page = Page(window)
    self.page = page
    window.redraw {
      screen?.draw(on: page)
      drawFlash(on: page)
    }
  }

  private func drawFlash(on page: Page) {
    guard let flashBegan else { return }
    let brightness = 1 - (ContinuousClock.now - flashBegan) / .milliseconds(250)
    if brightness > 0 {
      window.fill(page.bounds, .init(grey: 255, opacity: UInt8(brightness * 255)))
    } else {
      self.flashBegan = nil
    }
  }
}
