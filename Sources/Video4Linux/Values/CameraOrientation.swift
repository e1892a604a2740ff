/// Where a camera looks, as of the kernel's `V4L2_CID_CAMERA_ORIENTATION`.
package enum CameraOrientation: Int32, Hashable, Sendable {
  /// At its user.
  case front = 0
  /// Away from its user.
  case back = 1
  /// Not built in.
  case external = 2
}
