// Room of CaptureKitMocks.
