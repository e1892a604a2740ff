/// One camera.
public final class CaptureDevice: Sendable {
}
