public import CaptureKitLinux

/// Apple's name of `CaptureError`: what `catch let error as AVError` catches, and what a runtime
/// error's notification has under ``AVCaptureSessionErrorKey``.
public typealias AVError = CaptureError

// What Apple's codes are here. Several may be one, and each of CaptureKitLinux's own is there, too.
extension CaptureError.Code {
  /// Nothing is known but that it failed: `streamFailed`.
  public static var unknown: Self { .streamFailed }
  /// Capture has to be started anew: `streamFailed`.
  public static var mediaServicesWereReset: Self { .streamFailed }
  /// There is no camera: `noDevice`.
  public static var deviceNotConnected: Self { .noDevice }
  /// The camera was unplugged: `disconnected`.
  public static var deviceWasDisconnected: Self { .disconnected }
  /// Another program, or session, has the camera: `inUse`.
  public static var deviceInUseByAnotherApplication: Self { .inUse }
  /// Another session has the camera: `inUse`.
  public static var deviceAlreadyUsedByAnotherSession: Self { .inUse }
  /// The device must be locked first: `notLocked`.
  public static var deviceLockedForConfigurationByAnotherProcess: Self { .notLocked }
  /// This user may not open the camera: `notPermitted`.
  public static var applicationIsNotAuthorizedToUseDevice: Self { .notPermitted }
  /// The session does not run: `notRunning`.
  public static var sessionNotRunning: Self { .notRunning }
  /// The camera sent no picture in time: `timedOut`.
  public static var noDataCaptured: Self { .timedOut }
  /// There is no memory: `outOfResources`.
  public static var outOfMemory: Self { .outOfResources }
}
