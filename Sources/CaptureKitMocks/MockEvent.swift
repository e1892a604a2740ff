public import CaptureKitLinux
public import Imaging

/// Something that goes wrong with a simulated camera, or that is odd about it.
///
/// ```swift
/// camera.script = [.unplug(afterFrame: 30), .replug(after: .seconds(2))]
/// ```
///
/// Frames are counted by their sequence number, which starts at 0 whenever a stream starts. What
/// names a frame *happens*, once: a later stream does not repeat it. Everything else
/// *holds* until another script is set.
public enum MockEvent: Sendable {
  // MARK: Happens once

  /// The camera is unplugged as soon as the frame with this number was handed out.
  ///
  /// It is listed no more, its streams throw `disconnected`; -1 unplugs it at the start of a
  /// stream. A script may unplug several times; the next one waits for the one before it.
  case unplug(afterFrame: Int)
  /// The camera is plugged in again, this long after the ``unplug(afterFrame:)`` before it.
  case replug(after: Duration)
  /// The frames after this one come later, by this time.
  case stall(afterFrame: Int, for: Duration)
  /// Waiting for the frame that follows this one throws this error, `noSignal` for instance; -1 at the
  /// start of a stream. What a session does then depends on what it meets when it starts the camera
  /// again: see ``failsToStart(_:)``.
  case fails(afterFrame: Int, CaptureError)
  /// Half of this frame's bytes arrive. A raw frame is then damaged; a JPEG picture is not
  /// marked, since drivers do not check them.
  case shortFrame(at: Int)
  /// The driver marks this frame as damaged.
  case errorFlag(at: Int)
  /// This frame is lost before anybody sees it: the sequence numbers have a gap.
  case dropFrame(at: Int)
  /// This JPEG picture ends in the middle, has no end marker, and is not marked as damaged. Of no
  /// effect on raw frames.
  case truncatedJPEG(at: Int)

  // MARK: Holds

  /// The first frames of each stream are black, as a webcam's are until its exposure has settled.
  case blackFrames(first: Int)
  /// The driver does not say when frames were taken: they are stamped when they are picked up.
  case unknownTimestamps
  /// This many frames, taken before the stream was started, wait in the driver's queue.
  case staleFrames(Int)
  /// No frames come, and no error either.
  case silence
  /// Another program has the camera: opening throws `inUse`.
  case busy
  /// This user may not use the camera: it is listed as denied, opening throws `notPermitted`.
  case noPermission
  /// The first frame of each stream comes this much later than it should.
  case slowStart(Duration)
  /// Starting throws this error.
  case failsToStart(CaptureError)
  /// The USB bus has no room for pictures of this format: starting with it throws `usbBandwidth`.
  case noBandwidth(for: PixelFormat)
  /// Reading or setting this control throws this error, as of a camera whose firmware does not answer.
  case controlFails(CaptureControl.ID, CaptureError)
  /// The camera delivers this size, whatever it is asked for, and says so.
  case wrongSize(VideoDimensions)
}
