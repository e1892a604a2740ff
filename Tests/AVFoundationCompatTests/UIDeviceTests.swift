import AVFoundationCompat
import CaptureKitMocks
import Testing

extension PortedCodeTests {
  struct UIDeviceTests {
    private let source = ManualDeviceOrientation(.portrait)
    private let device = UIDevice.current

    init() { device.orientationSource = source }

    private final class Watch {
      private static let mainKey = DispatchSpecificKey<Bool>()
      private let lock = NSLock()
      private var seen = [(UIDeviceOrientation, Bool)]()
      private var observer: NSObjectProtocol?

      var all: [(orientation: UIDeviceOrientation, isMain: Bool)] { lock.withLock { seen } }

      init() {
        DispatchQueue.main.setSpecific(key: Self.mainKey, value: true)
        observer = NotificationCenter.default.addObserver(
          forName: UIDevice.orientationDidChangeNotification, object: UIDevice.current, queue: nil
        ) { [weak self] notification in
          guard let self = self, let device = notification.object as? UIDevice else { return }
          let news = (device.orientation, DispatchQueue.getSpecific(key: Self.mainKey) == true)
          self.lock.withLock { self.seen.append(news) }
        }
      }

      deinit { if let observer = observer { NotificationCenter.default.removeObserver(observer) } }
    }

    /// Returns when what the main queue has been given until now is done.
    private func mainQueue() async {
      await withCheckedContinuation { continuation in
        DispatchQueue.main.async { continuation.resume() }
      }
    }

    @Test func tellsOfChangesOnTheMainQueueWhileItIsAskedTo() async {
      let watch = Watch()
      source.orientation = .landscapeLeft
      await mainQueue()
      #expect(watch.all.isEmpty)

      device.beginGeneratingDeviceOrientationNotifications()
      device.beginGeneratingDeviceOrientationNotifications()
      source.orientation = .landscapeRight
      await mainQueue()
      device.endGeneratingDeviceOrientationNotifications()
      source.orientation = .faceUp
      await mainQueue()
      #expect(watch.all.map(\.orientation) == [.landscapeRight, .faceUp])
      #expect(watch.all.allSatisfy { $0.isMain })

      device.endGeneratingDeviceOrientationNotifications()
      #expect(!device.isGeneratingDeviceOrientationNotifications)
      source.orientation = .portrait
      await mainQueue()
      #expect(watch.all.count == 2)
      device.endGeneratingDeviceOrientationNotifications()
      #expect(!device.isGeneratingDeviceOrientationNotifications)
    }

    @Test func followsAnotherSource() async {
      let watch = Watch()
      device.beginGeneratingDeviceOrientationNotifications()
      let other = ManualDeviceOrientation(.portraitUpsideDown)
      device.orientationSource = other
      await mainQueue()
      #expect(watch.all.map(\.orientation) == [.portraitUpsideDown])

      source.orientation = .landscapeLeft
      other.orientation = .landscapeRight
      await mainQueue()
      #expect(watch.all.map(\.orientation) == [.portraitUpsideDown, .landscapeRight])
      device.endGeneratingDeviceOrientationNotifications()
    }

    @Test(arguments: UIDeviceOrientation.allCases)
    func knowsItsKinds(orientation: UIDeviceOrientation) {
      let kinds = [orientation.isPortrait, orientation.isLandscape, orientation.isFlat]
      #expect(kinds.filter { $0 }.count == (orientation == .unknown ? 0 : 1))
      #expect(orientation.isValidInterfaceOrientation == (kinds[0] || kinds[1]))
    }
  }
}
