package import LinuxSystem

/// Finds the cameras among a machine's video nodes.
package struct NodeScanner: Sendable {
  private let kernel: any Kernel
  private let roots: DeviceRoots

  package init(kernel: any Kernel = LinuxKernel(), roots: DeviceRoots = DeviceRoots()) {
    self.kernel = kernel
    self.roots = roots
  }

  /// What is offered as a camera, by node number.
  /// - Throws: `tooManyOpenFiles`: cameras that could not be looked at are not “no cameras”.
  package func cameras() throws(VideoNodeError) -> [CameraNode] {
    try nodes().filter(\.isListed)
  }

  /// All video nodes, by number, with the reasons why some are not cameras. Each is opened for a
  /// moment; one that vanishes meanwhile is left out.
  /// - Throws: `tooManyOpenFiles`.
  package func nodes() throws(VideoNodeError) -> [CameraNode] {
    let names = nodeNames()
    let identities = identities(of: names)
    let stableIDs = StableIDs.assign(to: identities)
    var nodes: [CameraNode] = []
    for name in names {
      let path = "\(roots.dev)/\(name)"
      let blank = blank(path: path, name: name, identities[name], stableIDs[name])
      if let node = try look(at: blank) { nodes.append(node) }
    }
    return nodes
  }

  /// Looks at one node, listed or not, known to sysfs or not.
  /// - Parameter path: Of the node, or of a link to it.
  /// - Returns: What it is; one that is not listed can be used all the same.
  /// - Throws: `noDevice`, `notPermitted`, `inUse`, `notACamera`, `tooManyOpenFiles` …
  package func camera(at path: String) throws(VideoNodeError) -> CameraNode {
    let node = try VideoNode(path: path, kernel: kernel, roots: roots)
    let target = FileTree.realPath(path) ?? path
    let name = nodeName(target)
    let identities = knownIdentities(ofNodeAt: target)
    let stableID = StableIDs.assign(to: identities)[name]
    let blank = blank(path: target, name: name, identities[name], stableID)
    return try described(blank, by: node)
  }

  /// What keeps this process from cameras that the kernel has; nil where nothing does.
  ///
  /// The kernel's own tree shows them to programs in sandboxes and containers, too, whose folder of
  /// nodes has none.
  package func obstacle() -> VideoNodeError? {
    let (known, present) = (nodeNames(), Set(FileTree.names(in: roots.dev)))
    guard !known.contains(where: present.contains) else { return nil }
    for name in known {
      let folder = "\(roots.sys)/class/video4linux/\(name)"
      // The main node of an interface is the likely camera.
      guard FileTree.text(at: folder + "/index") ?? "0" == "0" else { continue }
      return .missingNode(
        "\(roots.dev)/\(name)", camera: FileTree.text(at: folder + "/name") ?? name, roots: roots)
    }
    return nil
  }

  /// Opens a node, if the camera that it belonged to still has it.
  /// - Parameters:
  ///   - path: Of the node.
  ///   - stableID: Of the camera, as it was found before.
  /// - Returns: The opened node.
  /// - Throws: `disconnected` where another camera has the node by now, and what opening throws.
  package func open(_ path: String, of stableID: String) throws(VideoNodeError) -> VideoNode {
    // In this order: what is open cannot become another camera.
    let node = try VideoNode(path: path, kernel: kernel, roots: roots)
    let target = FileTree.realPath(path) ?? path
    let current = StableIDs.assign(to: knownIdentities(ofNodeAt: target))[nodeName(target)]
    if let current, !StableIDs.mayBeSameDevice(current, stableID) {
      throw .disconnected(path, nil)
    }
    return node
  }

  /// Resets the USB device that a camera is, if the camera still has its node: its drivers are
  /// taken away and given back, and everything else that the device does is interrupted as well.
  /// - Parameters:
  ///   - path: Of the node, which nobody should have open.
  ///   - stableID: Of the camera, as it was found before.
  /// - Throws: `disconnected` where another camera has the node by now; `resetFailed` where it is
  ///   no USB device or does not come back; `notPermitted`.
  package func resetUSBDevice(
    ofNodeAt path: String, of stableID: String
  ) throws(VideoNodeError) {
    let target = FileTree.realPath(path) ?? path
    let identities = knownIdentities(ofNodeAt: target)
    let name = nodeName(target)
    if let current = StableIDs.assign(to: identities)[name],
      !StableIDs.mayBeSameDevice(current, stableID)
    {
      throw .disconnected(path, nil)
    }
    guard let folder = identities[name]?.devicePath,
      let device = USBDevice(folder: folder, roots: roots)
    else { throw .noUSBDevice(path) }
    try device.reset(kernel: kernel, roots: roots)
  }

  /// What the USB link of a camera carries; nil where nothing is known of it.
  package func usbLink(ofNodeAt path: String) -> USBLink? {
    let name = nodeName(FileTree.realPath(path) ?? path)
    return DeviceIdentity(ofNodeNamed: name, roots: roots).flatMap { USBLink(of: $0, roots: roots) }
  }

  private func nodeName(_ path: String) -> String {
    String(path.split(separator: "/").last ?? "")
  }

  /// Who all nodes are, where one of them is at this path and known to sysfs; else nobody. A file
  /// of that name elsewhere is another device.
  private func knownIdentities(ofNodeAt path: String) -> [String: DeviceIdentity] {
    let name = nodeName(path)
    let isKnown =
      path == (FileTree.realPath("\(roots.dev)/\(name)") ?? "\(roots.dev)/\(name)")
      && FileTree.text(at: "\(roots.sys)/class/video4linux/\(name)/name") != nil
    return isKnown ? identities(of: nodeNames()) : [:]
  }

  /// `video0` and its like, by number: those that sysfs knows, and those in the folder of nodes.
  private func nodeNames() -> [String] {
    let known = FileTree.names(in: "\(roots.sys)/class/video4linux")
    let names = known.isEmpty ? FileTree.names(in: roots.dev) : known
    let numbered = names.compactMap { name -> (number: UInt32, name: String)? in
      guard name.hasPrefix("video"), let number = UInt32(name.dropFirst(5)) else { return nil }
      return (number, name)
    }
    return numbered.sorted { $0.number < $1.number }.map(\.name)
  }

  private func identities(of names: [String]) -> [String: DeviceIdentity] {
    var identities: [String: DeviceIdentity] = [:]
    for name in names {
      identities[name] = DeviceIdentity(ofNodeNamed: name, roots: roots)
    }
    return identities
  }

  /// What is known without opening the node.
  private func blank(
    path: String, name: String, _ identity: DeviceIdentity?, _ stableID: String?
  ) -> CameraNode {
    CameraNode(
      path: path,
      name: FileTree.text(at: "\(roots.sys)/class/video4linux/\(name)/name") ?? name,
      driver: "", busInfo: "", identity: identity ?? DeviceIdentity(),
      stableID: stableID ?? StableIDs.name(ofUnknownNodeAt: path), formats: [],
      orientation: identity?.panel, connectionID: connectionID(ofNodeNamed: name, at: path),
      isAccessible: true)
  }

  /// The kernel numbers its files and folders, and a node that comes back has new ones.
  private func connectionID(ofNodeNamed name: String, at path: String) -> UInt64? {
    let files = [path, "\(roots.sys)/class/video4linux/\(name)"].map {
      (try? NodeStatus(ofNode: $0))?.fileNumber
    }
    guard files.contains(where: { $0 != nil }) else { return nil }
    return files.reduce(0) { $0 &* 0x9E37_79B9_7F4A_7C15 &+ ($1 ?? 0) }
  }

  /// - Returns: Nil where the node has vanished.
  private func look(at blank: CameraNode) throws(VideoNodeError) -> CameraNode? {
    var result = blank
    do {
      let node = try VideoNode(anyNodeAt: blank.path, kernel: kernel, roots: roots)
      return try described(blank, by: node)
    } catch {
      switch error.code {
      case .noDevice, .disconnected:
        return nil
      case .tooManyOpenFiles:
        throw error
      case .notPermitted, .inUse:
        result.isAccessible = error.code != .notPermitted
        // Not to be asked now: the main node of an interface is the likely camera.
        if blank.identity.index ?? 0 != 0 { result.objection = "it is not the device's main node" }
      default:
        result.objection = error.description
      }
      return result
    }
  }

  private func described(
    _ blank: CameraNode, by node: VideoNode
  ) throws(VideoNodeError) -> CameraNode {
    var result = blank
    let capability = node.capability
    result.driver = capability.driver
    result.busInfo = capability.busInfo
    if !capability.card.isEmpty { result.name = capability.card }
    if blank.identity == DeviceIdentity() {
      result.identity = DeviceIdentity(busInfo: capability.busInfo)
    }
    result.objection = capability.objection
    guard result.isListed else { return result }
    result.formats = try node.pixelFormats()
    result.orientation = node.orientation ?? blank.orientation
    result.sensorRotation = node.sensorRotation
    if capability.flags.contains(.mediaController) {
      result.objection = "its media pipeline has to be set up first, which libcamera does"
    } else if result.formats.isEmpty {
      result.objection = "it offers no pictures at the moment"
    }
    return result
  }
}
