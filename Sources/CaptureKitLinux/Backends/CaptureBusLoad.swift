/// What the link that a camera shares with others can promise to all of them, and who holds how much
/// of it now.
///
/// USB cameras that send pictures isochronously reserve bandwidth when they start; behind one hub, or
/// at one USB 2 controller, all take it from the same link.
public struct CaptureBusLoad: Hashable, Sendable {
  /// Somebody who holds some of the link.
  public struct Holder: Hashable, Sendable {
    /// For people to read.
    public var name: String
    /// Bytes a second that are reserved.
    public var bandwidth: Int

    /// Names a holder and what it holds, in bytes a second.
    public init(name: String, bandwidth: Int) {
      self.name = name
      self.bandwidth = bandwidth
    }
  }

  /// The link for people to read, within a sentence: `the USB hub at port 1-1`.
  public var name: String
  /// Bytes a second that it can promise to all together; never less than it really can.
  public var bandwidth: Int
  /// Who holds some of it now, the camera itself left out.
  public var holders: [Holder]
  /// What the camera can reserve, in bytes a second; empty where that may be any amount.
  public var choices: [Int]

  /// Describes a link.
  ///
  /// - Parameters:
  ///   - name: The link for people to read.
  ///   - bandwidth: Bytes a second that it can promise to all together.
  ///   - holders: Who holds some of it now, the camera itself left out.
  ///   - choices: What the camera can reserve, in bytes a second.
  public init(name: String, bandwidth: Int, holders: [Holder] = [], choices: [Int] = []) {
    self.name = name
    self.bandwidth = bandwidth
    self.holders = holders
    self.choices = choices
  }

  /// Bytes a second that nobody holds.
  public var freeBandwidth: Int {
    max(0, holders.reduce(bandwidth) { $0 - min($0, max(0, $1.bandwidth)) })
  }
}

extension CaptureDevice {
  /// What the link that the camera shares with others carries now; nil where it shares none, or
  /// nobody knows.
  ///
  /// Sessions look at it before they start a camera. Reads a few small files of the system's.
  public var busLoad: CaptureBusLoad? { isConnected ? backend.busLoad(of: description) : nil }
}
