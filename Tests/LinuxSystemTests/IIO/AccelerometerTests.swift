import LinuxSystem
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct AccelerometerTests {
  private let fake: FakeAccelerometers

  init() throws { fake = try FakeAccelerometers() }

  private var sensors: [Accelerometer] {
    Accelerometer.ofDisplay(in: DeviceRoots(sys: fake.sys, run: fake.run))
  }

  private func reading(_ files: [String: String] = [:], udev: String? = nil) throws -> SIMD3<Double>
  {
    fake.add(files: files, udev: udev)
    fake.hold(x: 1, y: 2, z: 3)
    let reading = try #require(sensors.first).reading()
    return (reading * 1000).rounded(.toNearestOrAwayFromZero) / 1000
  }

  @Test func measuresInMetresPerSquareSecond() throws {
    #expect(try reading() == [1, 2, 3])
    #expect(sensors.first?.name == "bmc150_accel")
  }

  @Test func takesScaleAndOffsetOfEachAxisBeforeTheCommonOnes() throws {
    let reading = try reading([
      "in_accel_x_scale": "0.02", "in_accel_y_offset": "100", "in_accel_offset": "-100",
    ])

    #expect(reading == [0, 3, 2])
  }

  @Test func takesWhatIsMeasuredAlready() throws {
    #expect(try reading(["in_accel_x_input": "-9.5"]) == [-9.5, 2, 3])
  }

  @Test(arguments: ["in_accel_mount_matrix", "in_mount_matrix", "mount_matrix"])
  func turnsTheAxesAsTheKernelSays(name: String) throws {
    #expect(try reading([name: "0, 1, 0; -1, 0, 0; 0, 0, 1"]) == [2, -1, 3])
  }

  @Test func believesUdevMoreThanTheKernel() throws {
    let reading = try reading(
      ["in_accel_mount_matrix": "0, 1, 0; -1, 0, 0; 0, 0, 1"],
      udev: "S:iio\nE:ID_PATH=x\nE:ACCEL_MOUNT_MATRIX=-1, 0, 0; 0, 1, 0; 0, 0, -1\n")

    #expect(reading == [-1, 2, -3])
  }

  @Test func believesTheKernelWhereUdevSaysNonsense() throws {
    let reading = try reading(
      ["mount_matrix": "1, 0, 0; 0, 0, 1; 0, 1, 0"], udev: "E:ACCEL_MOUNT_MATRIX=upside down\n")

    #expect(reading == [1, 3, 2])
  }

  @Test(arguments: [
    ("label", "accel-base", nil), ("location", "base", nil),
    ("name", "x", "E:ACCEL_LOCATION=base\n"),
  ])
  func leavesOutTheSensorInTheKeyboard(file: String, text: String, udev: String?) {
    fake.add(0, files: [file: text], udev: udev)
    fake.add(1, files: ["name": "unlabelled"])
    fake.add(2, files: ["name": "lid", "label": "accel-display"])

    #expect(sensors.map(\.name) == ["lid", "unlabelled"])
  }

  @Test func leavesOutWhatIsNoAccelerometerWithThreeAxes() {
    fake.add(0, files: ["name": "flat"])
    fake.remove("in_accel_z_raw")
    fake.write("20", to: "in_temp_raw", of: 1)
    fake.add(2, files: ["name": "whole"])

    #expect(sensors.map(\.name) == ["whole"])
  }

  @Test func findsNoneWhereTheKernelHasNoSensors() {
    #expect(sensors.isEmpty)
  }

  static let garbage: [(String, String)] = [
    ("in_accel_x_raw", ""), ("in_accel_y_raw", "many"), ("in_accel_z_raw", "nan"),
    ("in_accel_z_raw", "99999999999999999999999"), ("in_accel_scale", "0,01"),
    ("in_accel_offset", "inf"), ("in_accel_mount_matrix", "0, 0, 0; 0, 0, 0; 0, 0, 0"),
    ("in_accel_mount_matrix", "1, 0, 0; 0, 1, 0"), ("mount_matrix", "1 0 0 0 1 0 0 0 1"),
    ("mount_matrix", "1, 0, 0; 0, 1, 0; 0, 0, nan"), ("mount_matrix", "1,0,0;0,1,0;0,0,1;"),
  ]

  @Test(arguments: garbage)
  func namesTheFileThatSaysNonsense(name: String, text: String) throws {
    fake.add()
    fake.write(text, to: name)
    let sensor = try #require(sensors.first)

    #expect {
      try sensor.reading()
    } throws: { error in
      let error = error as? AccelerometerError
      return error?.errno == nil && error?.description.contains(name) == true
    }
  }

  @Test func saysThatTheSensorHasGone() throws {
    fake.add()
    let sensor = try #require(sensors.first)
    fake.remove("in_accel_y_raw")

    #expect {
      try sensor.reading()
    } throws: { error in
      let error = error as? AccelerometerError
      return error?.errno == .noEntry && error?.isTransient == false
        && error?.description.contains("in_accel_y_raw") == true
    }
  }
}
