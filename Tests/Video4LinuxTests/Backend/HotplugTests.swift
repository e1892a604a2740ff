import CaptureKitLinux
import Foundation
import Glibc
import LinuxSystem
import TestSupport
import Testing

/// Plugs and unplugs as inotify tells them of a real folder, with drivers that do not exist.
@Suite(.timeLimit(.minutes(1)))
struct HotplugTests {
  private let sysfs: FakeSysfs
  private let kernel: FakeKernel
  private let environment: CaptureEnvironment

  init() throws {
    sysfs = try FakeSysfs()
    kernel = FakeKernel([sysfs.roots.dev + "/video0": FakeDevice()])
    environment = CaptureEnvironment(backends: [
      Video4LinuxBackend(kernel: kernel, roots: sysfs.roots)
    ])
  }

  /// The kernel describes the camera before it makes the node; a link to a device stands for that.
  private func plug() {
    sysfs.addUSB(port: "1-1", nodes: [0], serial: "A")
    sysfs.folder.link("dev/video0", to: "/dev/null")
  }

  private func unplug() {
    try? FileManager.default.removeItem(atPath: sysfs.folder.path("sys/devices"))
    unlink(sysfs.folder.path("sys/class/video4linux/video0"))
    unlink(sysfs.folder.path("dev/video0"))
  }

  @Test func areToldAsTheyHappen() async throws {
    #expect(try await environment.devices().isEmpty)
    var changes = environment.deviceChanges.makeAsyncIterator()

    plug()
    let first = try #require(await changes.next()?.device)
    #expect(first.uniqueID == "usb-046d:0825-A" && first.isConnected)
    #expect(try !first.loadFormats().isEmpty)
    unplug()
    #expect(await changes.next() == .disconnected(first))
    plug()
    let second = try #require(await changes.next()?.device)

    #expect(second !== first && second.uniqueID == first.uniqueID)
    #expect(!first.isConnected && second.isConnected)
    #expect(environment.watchError == nil)
  }

  @Test func areNoticedEvenWhereTheNodeIsBackBeforeTheLook() async throws {
    plug()
    let first = try #require(try await environment.devices().first)

    // Kept, so that what is made next has another number.
    rename(sysfs.folder.path("sys/devices"), sysfs.folder.path("sys/gone"))
    unplug()
    plug()

    let second = try #require(try await environment.devices().first)
    #expect(second !== first && !first.isConnected)
  }

  @Test func leaveNothingBehind() async throws {
    #expect(try await environment.devices().isEmpty)
    var changes: CaptureDeviceChanges.Iterator? = environment.deviceChanges.makeAsyncIterator()
    plug()
    _ = await changes?.next()
    unplug()
    _ = await changes?.next()
    let (descriptors, watches) = (inotifyCount, watchThreadCount)

    for _ in 0..<20 {
      plug()
      _ = await changes?.next()
      unplug()
      _ = await changes?.next()
    }

    #expect(descriptors == 1 && watches == 1)
    #expect(inotifyCount == 1 && watchThreadCount == 1)
    #expect(kernel.openCount == 0)
    changes = nil
    while watchThreadCount > 0 || inotifyCount > 0 { await Task.yield() }
  }

  private var watchThreadCount: Int {
    FileTree.names(in: "/proc/self/task").count {
      FileTree.text(at: "/proc/self/task/\($0)/comm") == "camera-watch"
    }
  }

  private var inotifyCount: Int {
    FileTree.names(in: "/proc/self/fd").count {
      FileTree.link(at: "/proc/self/fd/\($0)") == "anon_inode:inotify"
    }
  }
}
