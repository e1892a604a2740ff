// Room of CaptureKitLinux.
