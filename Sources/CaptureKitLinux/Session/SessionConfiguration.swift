/// What a session is made of: a value, changed as a whole.
struct SessionConfiguration: Sendable {
  private(set) var inputs: [CaptureDeviceInput] = []
  private(set) var outputs: [any CaptureOutput] = []
  private(set) var connections: [CaptureConnection] = []
  var preset = CaptureSession.Preset.high

  /// Connections that a change made and took away; outputs are told after the lock is released.
  struct Change {
    var made: [CaptureConnection] = []
    var removed: [CaptureConnection] = []
  }

  func check(_ input: CaptureDeviceInput) throws(CaptureError) {
    let name = input.device.localizedName
    if inputs.contains(where: { $0.device.uniqueID == input.device.uniqueID }) {
      throw CaptureError(.cannotAddInput, "\(name) is an input of the session already.")
    }
    guard input.device.isConnected else { throw CaptureError.disconnected(input.device) }
  }

  func check(_ output: any CaptureOutput) throws(CaptureError) {
    guard !outputs.contains(where: { $0 === output }) else {
      throw CaptureError(.cannotAddOutput, "The output belongs to the session already.")
    }
  }

  mutating func add(_ input: CaptureDeviceInput) throws(CaptureError) -> Change {
    try check(input)
    inputs.append(input)
    let made = outputs.map { CaptureConnection(input: input, output: $0) }
    connections += made
    return Change(made: made)
  }

  mutating func add(_ output: any CaptureOutput) throws(CaptureError) -> Change {
    try check(output)
    outputs.append(output)
    let made = inputs.map { CaptureConnection(input: $0, output: output) }
    connections += made
    return Change(made: made)
  }

  mutating func remove(_ input: CaptureDeviceInput) -> Change {
    inputs.removeAll { $0 === input }
    return removeConnections { $0.input === input }
  }

  mutating func remove(_ output: any CaptureOutput) -> Change {
    outputs.removeAll { $0 === output }
    return removeConnections { $0.output === output }
  }

  private mutating func removeConnections(where isGone: (CaptureConnection) -> Bool) -> Change {
    let removed = connections.filter(isGone)
    connections.removeAll(where: isGone)
    return Change(removed: removed)
  }

  /// The change that leads from here to another configuration.
  func change(to other: SessionConfiguration) -> Change {
    Change(
      made: other.connections.filter { new in !connections.contains { $0 === new } },
      removed: connections.filter { old in !other.connections.contains { $0 === old } })
  }

  /// The ways that an input's frames go.
  func routes(from input: CaptureDeviceInput) -> [StreamLoop.Route] {
    connections.filter { $0.input === input }.compactMap { connection in
      outputs.first { $0 === connection.output }
        .map { StreamLoop.Route(connection: connection, output: $0) }
    }
  }

  /// The preset as users see it: a device with a format of its own choosing has the say.
  var effectivePreset: CaptureSession.Preset {
    inputs.contains { $0.device.activeFormat != nil } ? .inputPriority : preset
  }
}

extension SessionConfiguration.Change {
  /// Tells the outputs.
  func announce() {
    for connection in removed { connection.output?.didDisconnect(connection) }
    for connection in made { connection.output?.didConnect(connection) }
  }
}
