import Testing

@testable import CaptureKitLinux

@Suite(.timeLimit(.minutes(1)))
struct DeviceRollTests {
  private final class Past {
    var roll = DeviceRoll()
    var now = HostTime(nanoseconds: 0)
  }

  private let past = Past()
  private var roll: DeviceRoll { past.roll }
  private var now: HostTime { past.now }

  private static func camera(
    _ id: String, node: Int? = nil, connection: UInt64? = nil, isAllowed: Bool = true
  ) -> CaptureDeviceDescription {
    var description = CaptureDeviceDescription(uniqueID: id, localizedName: "Camera")
    description.nodePath = node.map { "/dev/video\($0)" }
    description.connectionID = connection
    description.authorization = isAllowed ? .authorized : .denied
    return description
  }

  private func look(
    _ found: CaptureDeviceDescription..., after pause: Duration = .zero
  ) -> [DeviceRoll.Change] {
    past.now = now.advanced(by: pause)
    return end(past.roll.beginLook(), found)
  }

  private func end(_ look: Int, _ found: [CaptureDeviceDescription]) -> [DeviceRoll.Change] {
    past.roll.endLook(look, found: found, now: now)
  }

  private func lose(_ id: Int) -> Bool { past.roll.lose(id, now: now) }

  @Test func saysNothingOfWhatIsThereAtTheFirstLook() {
    #expect(look(Self.camera("a"), Self.camera("b", isAllowed: false)) == [])
    #expect(roll.present.map(\.description.uniqueID) == ["a", "b"])
    #expect(roll.nextDecision == nil)
  }

  @Test func tellsEachArrivalAndDepartureOnce() {
    _ = look()
    #expect(look(Self.camera("a")) == [.arrived(1)])
    #expect(look(Self.camera("a"), Self.camera("b")) == [.arrived(2)])
    #expect(look(Self.camera("b"), Self.camera("a")) == [])
    #expect(look(Self.camera("b")) == [.left(1)])
    #expect(look(Self.camera("b")) == [])
    #expect(look(Self.camera("a")) == [.left(2), .arrived(3)])
  }

  @Test func noticesAReplugBetweenTwoLooks() {
    _ = look(Self.camera("a", node: 0, connection: 1))
    #expect(look(Self.camera("a", node: 0, connection: 2)) == [.left(1), .arrived(2)])
    #expect(look(Self.camera("a", node: 1, connection: 2)) == [.left(2), .arrived(3)])
  }

  @Test func keepsACameraWhoseNameDependsOnItsTwin() {
    _ = look(Self.camera("twin", node: 0, connection: 1))

    let arrival = look(
      Self.camera("twin@1", node: 0, connection: 1), Self.camera("twin@2", node: 2, connection: 2))
    #expect(arrival == [.arrived(2)])
    #expect(roll.present.map(\.description.uniqueID) == ["twin", "twin@2"])

    #expect(look(Self.camera("twin", node: 2, connection: 2)) == [.left(1)])
    #expect(roll.present.map(\.description.uniqueID) == ["twin@2"])
  }

  @Test func tellsOfANewCameraWhenItCanBeOpened() {
    _ = look()
    #expect(look(Self.camera("a", isAllowed: false)) == [])
    #expect(roll.present.count == 1)
    #expect(roll.nextDecision == now.advanced(by: DeviceRoll.patience))
    #expect(look(Self.camera("a"), after: .milliseconds(300)) == [.arrived(1)])
    #expect(roll.nextDecision == nil)
  }

  @Test func doesNotWaitForEverForPermission() {
    _ = look()
    let denied = Self.camera("a", isAllowed: false)
    #expect(look(denied) == [])
    #expect(look(denied, after: DeviceRoll.patience - .nanoseconds(1)) == [])
    #expect(look(denied, after: .nanoseconds(1)) == [.arrived(1)])
    #expect(look(denied) == [])
    #expect(look(Self.camera("a")) == [.updated(1)])
    #expect(look(Self.camera("a")) == [])
  }

  @Test func doesNotTellOfTheEndOfWhatItNeverToldOf() {
    _ = look()
    _ = look(Self.camera("a", isAllowed: false))
    #expect(look() == [.withdrawn(1)])
  }

  @Test func learnsNothingFromALookThatAnswersLate() {
    _ = look(Self.camera("a"))
    let slow = past.roll.beginLook()
    #expect(look() == [.left(1)])
    #expect(end(slow, [Self.camera("a")]) == [])
    #expect(roll.present == [])
  }

  @Test func believesWhoLostACamera() {
    let camera = Self.camera("a", node: 0, connection: 1)
    _ = look(camera)
    #expect(lose(1))
    #expect(!lose(1))
    #expect(roll.present == [])
    // Its node outlives it for a moment.
    #expect(look(camera, after: .milliseconds(1)) == [])
    #expect(roll.present == [])
    #expect(look() == [])
    #expect(look(Self.camera("a", node: 0, connection: 2)) == [.arrived(2)])
  }

  @Test func takesALostCameraBackThatStaysThere() {
    let camera = Self.camera("a", node: 0, connection: 1)
    _ = look(camera)
    _ = lose(1)
    #expect(roll.nextDecision == now.advanced(by: DeviceRoll.grace))
    #expect(look(camera, after: DeviceRoll.grace) == [.arrived(2)])
  }
}
