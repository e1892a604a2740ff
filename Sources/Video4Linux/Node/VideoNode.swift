import CVideo4Linux
import Glibc
package import LinuxSystem
import Synchronization

/// One opened device node of a camera.
///
/// All calls may come from any thread. A call that is under way while another thread closes the
/// node still ends on its own descriptor.
package final class VideoNode: Sendable {
  package let path: String
  package let capability: Capability
  let kernel: any Kernel
  let roots: DeviceRoots
  private let descriptor: Mutex<Descriptor?>

  /// Opens a node that pictures can be taken from.
  /// - Parameters:
  ///   - path: Of the node, `/dev/video0`; need not be listed anywhere.
  ///   - kernel: Who is asked.
  ///   - roots: Where explanations are looked for when it fails.
  /// - Throws: `noDevice`, `notPermitted`, `inUse`, `notACamera`, `tooManyOpenFiles`.
  package convenience init(
    path: String, kernel: any Kernel = LinuxKernel(), roots: DeviceRoots = DeviceRoots()
  ) throws(VideoNodeError) {
    try self.init(anyNodeAt: path, kernel: kernel, roots: roots)
    if let objection = capability.objection {
      throw .notACamera(path, objection)
    }
  }

  /// Opens any video node, for a look at it.
  init(anyNodeAt path: String, kernel: any Kernel, roots: DeviceRoots) throws(VideoNodeError) {
    self.path = path
    self.kernel = kernel
    self.roots = roots
    let opened = try Self.open(path, kernel: kernel, roots: roots)
    descriptor = Mutex(opened)
    capability = try Self.queryCapability(opened, path: path, kernel: kernel, roots: roots)
  }

  /// Closes the node; what is called afterwards fails. Frames that were taken stay readable.
  package func close() {
    // The last reference goes after the lock does.
    let last = descriptor.withLock { descriptor in
      defer { descriptor = nil }
      return descriptor
    }
    _ = last
  }

  /// Whether the device still answers. A node whose device is gone says ENODEV to everything.
  package var isConnected: Bool {
    var answer = v4l2_capability()
    do {
      try call(Request.queryCapability, &answer)
      return true
    } catch {
      return error != .noDevice && error != .noSuchDeviceOrAddress && error != .badDescriptor
    }
  }

  /// The kind of queue that pictures come from, for the kernel's structures.
  var bufferType: UInt32 {
    (capability.isMultiplanar
      ? V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE : V4L2_BUF_TYPE_VIDEO_CAPTURE).rawValue
  }

  /// Makes one request, repeated while a signal interrupts it.
  func call<Argument>(_ request: UInt, _ argument: inout Argument) throws(Errno) {
    try unsafe withUnsafeMutablePointer(to: &argument) { pointer throws(Errno) in
      try unsafe call(request, at: pointer)
    }
  }

  /// As ``call(_:_:)``, for an argument that points to its own parts.
  func call(_ request: UInt, at argument: UnsafeMutableRawPointer) throws(Errno) {
    let descriptor = try openDescriptor()
    try withoutInterrupts { () throws(Errno) in
      try unsafe kernel.ioctl(descriptor.rawValue, request, argument)
    }
  }

  /// Makes a request that drivers need not know: nil for those that do not.
  func optionalCall<Argument>(_ request: UInt, _ argument: Argument) throws(Errno) -> Argument? {
    var argument = argument
    do {
      try call(request, &argument)
      return argument
    } catch .notSupported {
      return nil
    } catch .invalidArgument {
      return nil
    }
  }

  func failure(_ errno: Errno, during task: VideoNodeTask) -> VideoNodeError {
    VideoNodeError(errno, during: task, path: path, roots: roots)
  }

  /// The descriptor, held open while the caller has it.
  func openDescriptor() throws(Errno) -> Descriptor {
    guard let descriptor = descriptor.withLock({ $0 }) else { throw .badDescriptor }
    return descriptor
  }
}

// MARK: - Opening

extension VideoNode {
  private static func open(
    _ path: String, kernel: any Kernel, roots: DeviceRoots
  ) throws(VideoNodeError) -> Descriptor {
    // An open() can have effects on what is no video device: a FIFO waits, a tape rewinds.
    // Where there is nothing to ask, the node itself will tell.
    if let status = try? NodeStatus(ofNode: path), !status.isCharacterDevice {
      throw .notACamera(path, "it is no device")
    }
    do {
      return try withoutInterrupts { () throws(Errno) in
        let flags = O_RDWR | O_NONBLOCK | O_CLOEXEC
        return Descriptor(owning: try kernel.open(path, flags: flags), of: kernel)
      }
    } catch {
      throw VideoNodeError(error, during: .open, path: path, roots: roots)
    }
  }

  private static func queryCapability(
    _ descriptor: Descriptor, path: String, kernel: any Kernel, roots: DeviceRoots
  ) throws(VideoNodeError) -> Capability {
    var answer = v4l2_capability()
    do {
      try unsafe withUnsafeMutablePointer(to: &answer) { pointer throws(Errno) in
        try withoutInterrupts { () throws(Errno) in
          try unsafe kernel.ioctl(descriptor.rawValue, Request.queryCapability, pointer)
        }
      }
    } catch .notSupported {
      throw .notACamera(path, "it is no video device", .notSupported)
    } catch .invalidArgument {
      throw .notACamera(path, "it is no video device", .invalidArgument)
    } catch {
      throw VideoNodeError(error, during: .describe, path: path, roots: roots)
    }
    return Capability(answer)
  }
}

// MARK: - Reopening

extension VideoNode {
  /// Opens the node again where it had to be closed to get rid of its buffers.
  /// - Throws: As opening does, and `disconnected` where another device has taken the node.
  func reopenIfClosed() throws(VideoNodeError) {
    guard descriptor.withLock({ $0 == nil }) else { return }
    let opened = try Self.open(path, kernel: kernel, roots: roots)
    let found = try Self.queryCapability(opened, path: path, kernel: kernel, roots: roots)
    guard found == capability else { throw .disconnected(path, nil) }
    descriptor.withLock { $0 = opened }
  }
}
