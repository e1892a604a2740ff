import CaptureKitMocks
import Foundation
import Testing

@testable import CaptureKitLinux

@Suite(.timeLimit(.minutes(1)))
struct ConnectionRotationTests {
  private func connection(
    _ position: CaptureDevice.Position, mounting: Int = 0
  ) throws -> CaptureConnection {
    let device = RotationCoordinatorTests.device(position, mounting: mounting)
    return CaptureConnection(
      input: try CaptureDeviceInput(device: device), output: CapturePhotoOutput())
  }

  @Test(arguments: [0, 90, 180, 270])
  func beginsWithTheMounting(mounting: Int) throws {
    let connection = try connection(.back, mounting: mounting)

    #expect(connection.videoRotationAngle == CGFloat(mounting))
    #expect(connection.videoOrientation == .portrait)
  }

  @Test(arguments: [CaptureDevice.Position.front, .back, .unspecified], [0, 90, 180, 270])
  func isTheSameTurnByBothNames(position: CaptureDevice.Position, mounting: Int) throws {
    let connection = try connection(position, mounting: mounting)

    for orientation in CaptureVideoOrientation.allCases {
      connection.videoOrientation = orientation
      let (angle, turn) = (connection.videoRotationAngle, connection.uprightTurn)
      connection.videoOrientation = .portrait
      connection.videoRotationAngle = angle

      #expect(connection.videoOrientation == orientation)
      #expect(connection.videoRotationAngle == angle)
      #expect(connection.uprightTurn == turn)
    }
  }

  @Test(arguments: [45, -90, 360, 450, 90.5, CGFloat.nan, .infinity])
  func refusesOtherAngles(angle: CGFloat) throws {
    let connection = try connection(.front)
    connection.videoRotationAngle = 270

    connection.videoRotationAngle = angle

    #expect(!connection.isVideoRotationAngleSupported(angle))
    #expect(connection.videoRotationAngle == 270)
    #expect(connection.lastError?.code == .unsupportedValue)
    #expect { try connection.setVideoRotationAngle(angle) } throws: {
      ($0 as? CaptureError)?.code == .unsupportedValue
    }
  }

  @Test(arguments: [0, 90, 180, 270])
  func offersWholeQuarters(angle: CGFloat) throws {
    #expect(try connection(.front).isVideoRotationAngleSupported(angle))
  }
}
