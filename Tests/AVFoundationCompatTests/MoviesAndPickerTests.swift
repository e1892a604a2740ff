import AVFoundationCompat
import CaptureKitMocks
import Testing

extension PortedCodeTests {
  struct MoviesAndPickerTests {
    private let camera = MockCamera(frames: .testPattern(.mjpeg, width: 160, height: 120))

    /// Runs the view controller until its picker has ended.
    private func changed(
      with cameras: [MockCamera], movies: Bool = false,
      _ act: @escaping (ImagePickerController) async throws -> Void = { _ in }
    ) async throws -> AvatarViewController {
      try await onMachine(with: cameras) {
        let controller = AvatarViewController()
        let ends = AsyncStream<Void>.makeStream()
        controller.onChange = { ends.continuation.yield() }
        controller.changePicture(movies: movies)
        let picker = try #require(controller.picker)
        if picker.sourceType == .camera || picker.controller.library != nil {
          for await state in picker.controller.states where state == .live { break }
        }
        try await act(picker.controller)
        for await _ in ends.stream { break }
        return controller
      }
    }

    @Test func picksASquarePicture() async throws {
      let controller = try await changed(with: [camera]) { picker in
        picker.takePicture()
        for await state in picker.states where state == .editing { break }
        picker.finishEditing()
      }
      #expect(controller.imageView.map(\.size) == [CGSize(width: 120, height: 120)])
      #expect(controller.picker?.controller.state == .ended(.picked))
      #expect(camera.counters.opened == 1 && camera.counters.closed == 1)
    }

    @Test func picksAMovie() async throws {
      let controller = try await changed(with: [camera], movies: true) { picker in
        #expect(picker.startVideoCapture())
        try await wait { picker.recordedDuration > 0.1 }
        picker.stopVideoCapture()
      }
      let url = try #require(controller.movieURL)
      #expect(url.pathExtension == "mov")
      #expect(try MovieReader(contentsOf: url).size == VideoDimensions(width: 160, height: 120))
      try FileManager.default.removeItem(at: url)
    }

    @Test func isToldThatItWasCancelled() async throws {
      let controller = try await changed(with: [camera]) { $0.cancel() }
      #expect(controller.message == "Cancelled" && controller.imageView.isEmpty)
    }

    @Test func isToldOnlyThatItWasCancelledWhereNothingCanBePresented() async throws {
      camera.script = [.busy]
      await onMachine(with: [camera]) {
        let controller = AvatarViewController()
        let ends = AsyncStream<Void>.makeStream()
        controller.onChange = { ends.continuation.yield() }
        controller.changePicture()
        for await _ in ends.stream { break }
        #expect(controller.message?.contains("Simulated Camera") == true)
      }
    }

    @Test func whatApplesDictionariesHaveIsThere() throws {
      #expect(
        UIImagePickerController.InfoKey.mediaURL.rawValue == "UIImagePickerControllerMediaURL")
      #expect(kUTTypeImage as String == "public.image" && UTType.movie.identifier == kUTTypeMovie)
      let picker = UIImagePickerController()
      #expect(picker.mediaTypes == ["public.image"] && picker.sourceType == .photoLibrary)
      #expect(!picker.allowsEditing && picker.videoMaximumDuration == 600)
      picker.mediaTypes = ["public.audio"]
      #expect(picker.mediaTypes == ["public.audio"])
    }

    @Test func recordsAClip() async throws {
      let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let url = folder.appending(path: "clip.mov")
      try await onMachine(with: [camera]) {
        let recorder = ClipRecorder()
        try recorder.setUp()
        #expect(CMTimeGetSeconds(recorder.movieOutput.maxRecordedDuration) == 30)
        let (ended, error) = try await self.record(recorder, to: url, unplugging: false)
        #expect(ended == url && error == nil && recorder.hasStarted)
        #expect(try MovieReader(contentsOf: url).duration > .milliseconds(50))

        let other = folder.appending(path: "unplugged.mov")
        let (kept, why) = try await self.record(recorder, to: other, unplugging: true)
        #expect(kept == other && why is MovieError)
        recorder.session.stopRunning()
      }
    }

    private func record(
      _ recorder: ClipRecorder, to url: URL, unplugging: Bool
    ) async throws -> (URL?, Error?) {
      let results = AsyncStream<(URL?, Error?)>.makeStream()
      recorder.completion = { results.continuation.yield(($0, $1)) }
      recorder.toggleRecording(to: url)
      try await wait { CMTimeGetSeconds(recorder.movieOutput.recordedDuration) > 0.1 }
      if unplugging { camera.unplug() } else { recorder.toggleRecording(to: url) }
      for await result in results.stream { return result }
      return (nil, nil)
    }
  }
}
