import Foundation
import Testing

@testable import CaptureKitLibrary

@Suite(.timeLimit(.minutes(1)))
struct LibraryErrorTests {
  @Test func isItsSentence() {
    let error = LibraryError(.diskFull, "The disk of a.mkv is full.")

    #expect("\(error)" == "The disk of a.mkv is full.")
    #expect(error.localizedDescription == "The disk of a.mkv is full.")
    #expect("\(error.code)" == "diskFull")
  }
}
