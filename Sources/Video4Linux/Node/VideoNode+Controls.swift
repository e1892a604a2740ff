import CVideo4Linux
import LinuxSystem

extension VideoNode {
  /// A control's value. Nil where the device has no such control, may not be asked for it, or
  /// its firmware fails to say: a control never stands in the way of a picture.
  package func control(_ identifier: UInt32) -> Int32? {
    var control = v4l2_control()
    control.id = identifier
    do {
      try call(Request.getControl, &control)
      return control.value
    } catch {
      return nil
    }
  }

  /// Where the camera looks, if the kernel knows.
  package var orientation: CameraOrientation? {
    control(ck_CID_CAMERA_ORIENTATION).flatMap(CameraOrientation.init)
  }

  /// How many degrees the picture is to be turned counter-clockwise to be upright, 0 to 359, if
  /// the kernel knows how the sensor is mounted.
  package var sensorRotation: Int? {
    control(ck_CID_CAMERA_SENSOR_ROTATION).flatMap { 0..<360 ~= $0 ? Int($0) : nil }
  }
}
