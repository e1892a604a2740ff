import Foundation
import Testing

@testable import CaptureKitMovie

@Suite(.timeLimit(.minutes(1)))
struct MovieErrorTests {
  @Test func isItsSentence() {
    let error = MovieError(.diskFull, "The disk of a.mkv is full.", recordingSucceeded: true)

    #expect("\(error)" == "The disk of a.mkv is full.")
    #expect(error.localizedDescription == "The disk of a.mkv is full.")
    #expect("\(error.code)" == "diskFull")
  }
}
