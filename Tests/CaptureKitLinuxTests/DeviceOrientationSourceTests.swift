import CaptureKitMocks
import Dispatch
import LinuxSystem
import Synchronization
import TestSupport
import Testing

@testable import CaptureKitLinux

@Suite(.timeLimit(.minutes(1)))
struct DeviceOrientationSourceTests {
  @Test func tellsWhatIsSaid() {
    let source = ManualDeviceOrientation(.faceUp)
    let told = Mutex<[DeviceOrientation]>([])
    let observation = source.observe { orientation in told.withLock { $0.append(orientation) } }

    source.orientation = .landscapeLeft
    source.orientation = .landscapeLeft
    source.orientation = .portrait
    observation.invalidate()
    source.orientation = .landscapeRight

    #expect(told.withLock { $0 } == [.faceUp, .landscapeLeft, .portrait])
    #expect(source.orientation == .landscapeRight)
  }

  @Test func letsAHandlerSayAnotherOrientation() {
    let source = ManualDeviceOrientation(.portrait)
    let told = Mutex<[DeviceOrientation]>([])
    let observation = source.observe { orientation in
      told.withLock { $0.append(orientation) }
      if orientation == .faceUp { source.orientation = .portraitUpsideDown }
    }

    source.orientation = .faceUp

    #expect(told.withLock { $0 } == [.portrait, .faceUp, .portraitUpsideDown])
    observation.invalidate()
  }

  @Test func isASequence() async {
    let source = ManualDeviceOrientation(.portrait)
    var orientations = source.orientations.makeAsyncIterator()

    #expect(await orientations.next() == .portrait)
    source.orientation = .landscapeLeft
    source.orientation = .landscapeRight
    #expect(await orientations.next() == .landscapeRight)
  }

  // MARK: The accelerometer

  private let queue = DispatchQueue(label: "sensor")

  private func sensor(
    _ fake: FakeAccelerometers, _ clock: ManualClock, interval: Duration = .milliseconds(200)
  ) throws -> AccelerometerDeviceOrientation {
    try AccelerometerDeviceOrientation(
      roots: DeviceRoots(sys: fake.sys, run: fake.run), interval: interval, clock: clock,
      queue: queue)
  }

  @Test func followsTheSensor() async throws {
    let (fake, clock) = (try FakeAccelerometers(), ManualClock())
    fake.add()
    let source = try sensor(fake, clock)
    var orientations = source.orientations.makeAsyncIterator()
    #expect(await orientations.next() == .portrait)

    for (x, orientation) in [(9.81, DeviceOrientation.landscapeRight), (-9.81, .landscapeLeft)] {
      fake.hold(x: x, y: 0, z: 0)
      await clock.waitForWork()
      clock.advance(by: .milliseconds(200))
      #expect(await orientations.next() == orientation)
    }
  }

  @Test func readsNothingWhileNobodyListens() async throws {
    let (fake, clock) = (try FakeAccelerometers(), ManualClock())
    fake.add()
    let source = try sensor(fake, clock)
    #expect(clock.scheduledCount == 0)

    let observation = source.observe { _ in }
    #expect(clock.scheduledCount == 1)
    observation.invalidate()
    fake.remove("in_accel_x_raw")
    clock.advance(by: .seconds(1))
    queue.sync {}

    #expect(clock.scheduledCount == 0)
    #expect(source.lastError == nil)
  }

  @Test func readsAgainOnceSomebodyListensAgain() async throws {
    let (fake, clock) = (try FakeAccelerometers(), ManualClock())
    fake.add()
    let source = try sensor(fake, clock)
    source.observe { _ in }.invalidate()
    clock.advance(by: .seconds(1))
    queue.sync {}
    fake.hold(x: 0, y: 9.81, z: 0)

    var orientations = source.orientations.makeAsyncIterator()

    #expect(await orientations.next() == .portraitUpsideDown)
    #expect(clock.scheduledCount == 1)
  }

  @Test func readsOnceAnIntervalHoweverOftenItIsAsked() throws {
    let (fake, clock) = (try FakeAccelerometers(), ManualClock())
    fake.add()
    let source = try sensor(fake, clock, interval: .milliseconds(1))
    #expect(source.interval == .milliseconds(50))

    fake.hold(x: 0, y: 0, z: -9.81)
    clock.advance(by: .milliseconds(49))
    #expect(source.orientation == .portrait)
    clock.advance(by: .milliseconds(1))
    #expect(source.orientation == .faceUp)
  }

  @Test func isUnknownWhileTheSensorCannotBeRead() async throws {
    let (fake, clock) = (try FakeAccelerometers(), ManualClock())
    fake.add()
    let source = try sensor(fake, clock)
    var orientations = source.orientations.makeAsyncIterator()
    #expect(await orientations.next() == .portrait)

    fake.write("much", to: "in_accel_y_raw")
    await clock.waitForWork()
    clock.advance(by: .milliseconds(200))
    #expect(await orientations.next() == .unknown)
    #expect(source.lastError?.code == .noSensor)
    #expect("\(source.lastError.map { "\($0)" } ?? "")".contains("in_accel_y_raw"))

    fake.hold(x: 0, y: -9.81, z: 0)
    await clock.waitForWork()
    clock.advance(by: .milliseconds(200))
    #expect(await orientations.next() == .portrait)
    #expect(source.lastError == nil)
  }

  @Test func saysThatThereIsNoSensor() throws {
    let fake = try FakeAccelerometers()

    #expect { try sensor(fake, ManualClock()) } throws: { ($0 as? CaptureError)?.code == .noSensor }
  }

  @Test func saysWhyTheSensorIsOfNoUse() throws {
    let fake = try FakeAccelerometers()
    fake.add(files: ["in_accel_scale": "?"])

    #expect {
      try sensor(fake, ManualClock())
    } throws: { error in
      (error as? CaptureError)?.code == .noSensor && "\(error)".contains("in_accel_scale")
    }
  }
}
