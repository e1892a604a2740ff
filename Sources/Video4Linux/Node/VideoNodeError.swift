package import LinuxSystem

/// Why a device node could not do what it was asked to.
package struct VideoNodeError: Error, Hashable, Sendable {
  /// What somebody can act on.
  package struct Code: Hashable, Sendable {
    private enum Value: Hashable {
      case noDevice, inUse, notPermitted, notACamera, disconnected, noSignal, privacyShutter,
        usbBandwidth,
        streamingFailed, resetFailed, unsupportedFormat, invalidAnswer, tooManyOpenFiles,
        outOfMemory
      case unsupportedControl, invalidControlValue, controlNotWritable, controlFailed
    }
    private let value: Value

    /// There is no such node, or nothing behind it.
    package static let noDevice = Code(value: .noDevice)
    /// Another program, or this one, uses the device already.
    package static let inUse = Code(value: .inUse)
    /// The node's mode keeps this process out.
    package static let notPermitted = Code(value: .notPermitted)
    /// Something, but nothing that takes pictures.
    package static let notACamera = Code(value: .notACamera)
    /// The device was there and is gone.
    package static let disconnected = Code(value: .disconnected)
    /// Nothing arrives at the device's input.
    package static let noSignal = Code(value: .noSignal)
    /// The device's shutter is closed, or its switch is off.
    package static let privacyShutter = Code(value: .privacyShutter)
    /// The USB bus has no room for the pictures.
    package static let usbBandwidth = Code(value: .usbBandwidth)
    /// The device or its driver gave up.
    package static let streamingFailed = Code(value: .streamingFailed)
    /// The device could not be reset.
    package static let resetFailed = Code(value: .resetFailed)
    /// The device has no such format.
    package static let unsupportedFormat = Code(value: .unsupportedFormat)
    /// The driver said something that cannot be.
    package static let invalidAnswer = Code(value: .invalidAnswer)
    /// This process, or the system, has no descriptors left.
    package static let tooManyOpenFiles = Code(value: .tooManyOpenFiles)
    /// The system has no memory left for the buffers.
    package static let outOfMemory = Code(value: .outOfMemory)
    /// The device has no such control.
    package static let unsupportedControl = Code(value: .unsupportedControl)
    /// The control does not take this value, or not now.
    package static let invalidControlValue = Code(value: .invalidControlValue)
    /// The control cannot be set, or not now.
    package static let controlNotWritable = Code(value: .controlNotWritable)
    /// The device does not answer for this control.
    package static let controlFailed = Code(value: .controlFailed)
  }

  /// What somebody can act on.
  package let code: Code
  /// The kernel's number, where a system call failed.
  package let errno: Errno?
  /// Of the node.
  package let path: String
  private let sentence: String

  init(_ code: Code, _ path: String, _ sentence: String, errno: Errno? = nil) {
    self.code = code
    self.errno = errno
    self.path = path
    self.sentence = sentence
  }
}

// MARK: - CustomStringConvertible

extension VideoNodeError: CustomStringConvertible {
  /// What happened to which node and what to do about it, ready to be shown.
  package var description: String { sentence }
}
