/// What a session is made of: a value, changed as a whole.
struct SessionConfiguration: Sendable {
  private(set) var inputs: [CaptureDeviceInput] = []
  private(set) var outputs: [any CaptureOutput] = []
  private(set) var connections: [CaptureConnection] = []
  private(set) var preset = CaptureSession.Preset.high
  private var presetTurn: ChoiceTurn?

  /// Connections that a change made and took away; outputs are told after the lock is released.
  struct Change {
    var made: [CaptureConnection] = []
    var removed: [CaptureConnection] = []
    /// Outputs that the session lets go of.
    var leaving: [any CaptureOutput] = []
  }

  func check(_ input: CaptureDeviceInput) throws(CaptureError) {
    guard !inputs.contains(where: { $0.device.uniqueID == input.device.uniqueID }) else {
      throw CaptureError(
        .cannotAddInput, "\(input.device.localizedName) is an input of the session already.")
    }
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
    let isThere = outputs.contains { $0 === output }
    outputs.removeAll { $0 === output }
    var change = removeConnections { $0.outputID == ObjectIdentifier(output) }
    change.leaving = isThere ? [output] : []
    return change
  }

  private mutating func removeConnections(where isGone: (CaptureConnection) -> Bool) -> Change {
    let removed = connections.filter(isGone)
    connections.removeAll(where: isGone)
    return Change(removed: removed)
  }

  /// Those of some connections that are not here.
  func missing(from others: [CaptureConnection]) -> [CaptureConnection] {
    others.filter { other in !connections.contains { $0 === other } }
  }

  /// Those of some outputs that are not here.
  func missing(from others: [any CaptureOutput]) -> [any CaptureOutput] {
    others.filter { other in !outputs.contains { $0 === other } }
  }

  /// What another configuration has and this one has not.
  func changes(from other: SessionConfiguration) -> Change {
    Change(
      removed: missing(from: other.connections), leaving: missing(from: other.outputs))
  }

  /// The ways that an input's frames go.
  func routes(from input: CaptureDeviceInput) -> [StreamLoop.Route] {
    connections.filter { $0.input === input }.compactMap { connection in
      outputs.first { ObjectIdentifier($0) == connection.outputID }
        .map { StreamLoop.Route(connection: connection, output: $0) }
    }
  }

  mutating func setPreset(_ preset: CaptureSession.Preset) -> Change {
    self.preset = preset
    presetTurn = .next()
    return Change()
  }

  mutating func takePreset(of other: SessionConfiguration) {
    preset = other.preset
    presetTurn = other.presetTurn
  }

  /// The format that decides for a device; nil where the preset does.
  func decisiveFormat(of device: CaptureDevice) -> CaptureDevice.Format? {
    guard let choice = device.formatChoice else { return nil }
    let isOverruled = preset != .inputPriority && presetTurn.map { choice.turn < $0 } ?? false
    return isOverruled ? nil : choice.format
  }

  /// The preset as users see it.
  var effectivePreset: CaptureSession.Preset {
    inputs.contains { decisiveFormat(of: $0.device) != nil } ? .inputPriority : preset
  }
}

extension SessionConfiguration.Change {
  /// Tells the outputs.
  func announce() {
    for connection in removed { connection.output?.didDisconnect(connection) }
    for output in leaving { output.deliveryDidEnd() }
    for connection in made { connection.output?.didConnect(connection) }
  }
}
