import CVideo4Linux
import LinuxSystem

extension VideoNode {
  /// One of a node's inputs: a webcam has one, a capture card several sockets.
  package struct Input: Hashable, Sendable {
    package let index: UInt32
    package let name: String
    /// Whether the driver says that nothing arrives here: no power, no signal or no sync.
    package let hasNoSignal: Bool
    /// Whether it takes signals of several timings, as HDMI's do.
    let hasTimings: Bool
  }

  /// The node's inputs; empty where the driver has no such notion.
  package func inputs() throws(VideoNodeError) -> [Input] {
    var inputs: [Input] = []
    for index in 0..<UInt32(64) {
      guard let input = try input(at: index) else { break }
      inputs.append(input)
    }
    return inputs
  }

  /// The input that pictures come from; nil where the driver has no such notion.
  package func selectedInput() throws(VideoNodeError) -> Input? {
    let index: CInt?
    do {
      index = try optionalCall(Request.getInput, CInt(-1))
    } catch .noDevice {
      throw failure(.noDevice, during: .describe)
    } catch {
      return nil
    }
    guard let index, index >= 0 else { return nil }
    return try input(at: UInt32(index))
  }

  /// Takes over the timings of the signal that arrives; the format follows from them.
  func adoptTimings(of input: Input) throws(VideoNodeError) {
    var timings = v4l2_dv_timings()
    do {
      try call(Request.queryTimings, &timings)
    } catch {
      switch error {
      case .linkSevered, .noLock, .outOfRange:
        throw .noSignal(path, input: input.name.isEmpty ? nil : input.name, error)
      case .noDevice: throw failure(error, during: .format)
      // Whoever cannot say keeps what is set.
      default: return
      }
    }
    do {
      try call(Request.setTimings, &timings)
    } catch .busy {
      throw failure(.busy, during: .format)
    } catch {}
  }

  private func input(at index: UInt32) throws(VideoNodeError) -> Input? {
    var entry = v4l2_input()
    entry.index = index
    do {
      guard let answer = try optionalCall(Request.enumerateInputs, entry) else { return nil }
      let silence = UInt32(V4L2_IN_ST_NO_POWER | V4L2_IN_ST_NO_SIGNAL | V4L2_IN_ST_NO_SYNC)
      return Input(
        index: index, name: kernelText(answer.name), hasNoSignal: answer.status & silence != 0,
        hasTimings: answer.capabilities & UInt32(V4L2_IN_CAP_DV_TIMINGS) != 0)
    } catch {
      if error == .noDevice { throw failure(error, during: .describe) }
      return nil
    }
  }
}
