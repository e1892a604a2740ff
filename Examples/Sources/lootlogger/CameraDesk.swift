import CaptureKitLinux
import ExampleSupport
import Foundation
import WebServer

/// The camera: it runs while somebody watches it, or a photo is taken.
actor CameraDesk {
  /// What a page is told of it.
  struct Status: Encodable, Sendable {
    /// The camera's name; nil where there is none.
    var name: String?
    var isSimulated: Bool
    var isRunning = false
    /// Whether it looks at its user, who expects a mirror.
    var isMirror = false
    /// Why it cannot be used; nil where it can.
    var sentence: String?
  }

  /// A camera that runs.
  private struct Running: Sendable {
    let camera: CaptureDevice
    let session: CaptureSession
    let photos: CapturePhotoOutput
  }

  private let path: String?
  private let isSimulated: Bool
  /// Told of each change of the status.
  private let changed: @Sendable (Status) async -> Void
  private let watchers: Broadcast
  private let counts: AsyncStream<Int>
  private var running: Task<Running, any Error>?
  /// A camera that is being closed: until then nobody can open it anew.
  private var closing: Task<Void, Never>?
  private var observer: (any NSObjectProtocol)?
  private var photosUnderWay = 0

  init(
    path: String?, isSimulated: Bool, changed: @escaping @Sendable (Status) async -> Void
  ) {
    self.path = path
    self.isSimulated = isSimulated
    self.changed = changed
    let (counts, continuation) = AsyncStream<Int>.makeStream(bufferingPolicy: .bufferingNewest(1))
    self.counts = counts
    watchers = Broadcast(.newest) { continuation.yield($0) }
  }

  /// Lets the camera rest whenever nobody has watched for a moment, as long as it runs.
  func rest() async {
    for await count in counts where count == 0 {
      try? await Task.sleep(for: .seconds(1))
      await closeUnlessUsed()
    }
  }

  /// What can be said without starting the camera.
  func status() async -> Status {
    do {
      let camera = try await camera()
      return Status(
        name: camera.localizedName, isSimulated: isSimulated, isRunning: running != nil,
        isMirror: camera.position == .front,
        sentence: camera.authorizationFailure.map { "\($0)" })
    } catch {
      return Status(isSimulated: isSimulated, sentence: Failure(error).sentence)
    }
  }

  /// Starts the camera where it rests.
  ///
  /// - Throws: Why it cannot be had.
  func start() async throws { _ = try await open() }

  /// Shows the camera to a client, once it has started.
  nonisolated func show(to connection: OpenConnection) {
    watchers.add(connection, first: Data(MotionJPEG.headers.utf8))
  }

  /// Takes a photo.
  func takePhoto() async throws -> Data {
    photosUnderWay += 1
    let photo: Result<CapturePhoto, any Error>
    do {
      photo = .success(
        try await open().photos.capturePhoto(with: CapturePhotoSettings()))
    } catch {
      photo = .failure(error)
    }
    photosUnderWay -= 1
    await closeUnlessUsed()
    guard let data = try photo.get().fileDataRepresentation() else {
      throw Failure(.software, "The camera has sent no photo: try again.")
    }
    return data
  }
}

// MARK: - Steps

extension CameraDesk {
  private func camera() async throws -> CaptureDevice {
    let cameras = try await CaptureEnvironment.current.devices()
    if let path { return try cameras.first { $0.uniqueID == path } ?? CaptureDevice(path: path) }
    guard let camera = cameras.first(where: { $0.authorization == .authorized }) ?? cameras.first
    else { throw Failure(.unavailable, "There is no camera: plug one in, or choose a file.") }
    return camera
  }

  /// The running camera; who asks while it starts waits for it.
  private func open() async throws -> Running {
    if let running { return try await running.value }
    let starting = Task { [watchers, closing] in
      await closing?.value
      let camera = try await self.camera()
      let session = CaptureSession()
      let photos = CapturePhotoOutput()
      try session.add(CaptureDeviceInput(device: camera))
      try session.add(photos)
      try session.add(StreamOutput(watchers))
      self.observe(session)
      try await session.start()
      return Running(camera: camera, session: session, photos: photos)
    }
    running = starting
    do {
      return try await starting.value
    } catch {
      if running == starting { running = nil }
      throw error
    }
  }

  private func observe(_ session: CaptureSession) {
    if let observer { NotificationCenter.default.removeObserver(observer) }
    observer = NotificationCenter.default.addObserver(
      forName: CaptureSession.runtimeErrorNotification, object: session, queue: nil
    ) { [weak self] notification in
      guard let error = notification.userInfo?[CaptureSession.errorKey] as? CaptureError else {
        return
      }
      Task { await self?.fail(error) }
    }
  }

  /// The camera has ended by itself: pages say why.
  private func fail(_ error: CaptureError) async {
    watchers.removeAll()
    await close()
    await changed(Status(isSimulated: isSimulated, sentence: "\(error)"))
  }

  private func closeUnlessUsed() async {
    if watchers.count == 0, photosUnderWay == 0 { await close() }
  }

  private func close() async {
    guard let ending = running else { return }
    running = nil
    let closing = Task { [earlier = self.closing] in
      await earlier?.value
      if let camera = try? await ending.value { await camera.session.stop() }
    }
    self.closing = closing
    await closing.value
  }
}
