import Glibc
import LinuxSystem
import Synchronization
import TestSupport
import Testing
import Video4Linux

@Suite(.timeLimit(.minutes(1)))
struct NodeWatchTests {
  private let sysfs: FakeSysfs
  private let kernel: FakeKernel
  private let events: AsyncStream<NodeWatch.Event>
  private let say: AsyncStream<NodeWatch.Event>.Continuation

  init() throws {
    sysfs = try FakeSysfs()
    kernel = FakeKernel([sysfs.roots.dev + "/video0": FakeDevice()])
    (events, say) = AsyncStream<NodeWatch.Event>.makeStream()
  }

  private func start(
    _ watch: FakeWatch?, substitute: FakeWatch = FakeWatch(), failure: Errno = .tooManyOpenFiles
  ) throws -> NodeWatch {
    try NodeWatch(
      kernel: kernel, roots: sysfs.roots,
      watch: { _ throws(Errno) in
        guard let watch else { throw failure }
        return watch
      }, substitute: { _ in substitute }, onEvent: { [say] in say.yield($0) })
  }

  @Test func saysOnceThatANodeCame() async throws {
    let fake = FakeWatch()
    let watch = try start(fake)
    defer { watch.stop() }
    var events = events.makeAsyncIterator()

    fake.say("video0", "video0", "null")
    #expect(await events.next() == .nodesMayHaveChanged)
    fake.say("null")
    fake.say("video1")
    #expect(await events.next() == .nodesMayHaveChanged)
    #expect(kernel.openCount == 0)
  }

  @Test func waitsUntilTheDriverAnswers() async throws {
    let fake = FakeWatch()
    kernel.add(.times(3, .open, .noDevice))
    let watch = try start(fake)
    defer { watch.stop() }
    var events = events.makeAsyncIterator()

    fake.say("video0")

    #expect(await events.next() == .nodesMayHaveChanged)
    #expect(kernel.count(.open) == 4)
  }

  @Test(arguments: [Errno.tooManyOpenFiles, .noSpace])
  func readsTheFolderWhereThereAreNoWatchesLeft(failure: Errno) async throws {
    let substitute = FakeWatch()
    let watch = try start(nil, substitute: substitute, failure: failure)
    defer { watch.stop() }
    var events = events.makeAsyncIterator()

    #expect(await events.next() == .isDelayed(failure))
    substitute.say("video0")
    #expect(await events.next() == .nodesMayHaveChanged)
  }

  @Test func readsTheFolderWhenItsWatchIsTakenAway() async throws {
    let (fake, substitute) = (FakeWatch(), FakeWatch())
    let watch = try start(fake, substitute: substitute)
    defer { watch.stop() }
    var events = events.makeAsyncIterator()

    fake.fail(.noEntry)

    #expect(await events.next() == .isDelayed(.noEntry))
    #expect(await events.next() == .nodesMayHaveChanged)
    substitute.say("video0")
    #expect(await events.next() == .nodesMayHaveChanged)
  }

  @Test func seesANodeInARealFolder() async throws {
    let watch = try NodeWatch(
      kernel: kernel, roots: sysfs.roots, onEvent: { [say] in say.yield($0) })
    var events = events.makeAsyncIterator()

    for _ in 0..<3 {
      sysfs.folder.file("dev/video0")
      #expect(await events.next() == .nodesMayHaveChanged)
      try sysfs.folder.setMode(0o600, of: "dev/video0")
      #expect(await events.next() == .nodesMayHaveChanged)
      unlink(sysfs.folder.path("dev/video0"))
      #expect(await events.next() == .nodesMayHaveChanged)
    }
    watch.stop()
  }

  @Test func leavesNeitherThreadNorDescriptor() async throws {
    for _ in 0..<20 {
      let watch = try NodeWatch(kernel: kernel, roots: sysfs.roots, onEvent: { _ in })
      watch.stop()
      watch.stop()
    }
    while threads().contains("camera-watch") || inotifyCount() > 0 { await Task.yield() }
  }

  private func threads() -> [String] {
    FileTree.names(in: "/proc/self/task").compactMap {
      FileTree.text(at: "/proc/self/task/\($0)/comm")
    }
  }

  private func inotifyCount() -> Int {
    FileTree.names(in: "/proc/self/fd").count {
      FileTree.link(at: "/proc/self/fd/\($0)") == "anon_inode:inotify"
    }
  }
}
