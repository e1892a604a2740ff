// What two cameras took at one time.

import CaptureKitLinux

func compare(_ one: CapturedFrame, _ other: CapturedFrame) {
  let distance = one.presentationTime.duration(to: other.presentationTime)
  print("\(one.dimensions) and \(other.dimensions), \(distance) apart")
}

let cameras = CaptureDevice.DiscoverySession(
  deviceTypes: [.external, .builtInWideAngleCamera], mediaType: .video, position: .unspecified
).devices
guard cameras.count >= 2 else { throw CaptureError.noDevice }
let (left, right) = (cameras[0], cameras[1])
let session = CaptureSession()
let video = CaptureVideoDataOutput()
// snippet.show
try session.add(CaptureDeviceInput(device: left))
try session.add(CaptureDeviceInput(device: right))
try session.add(video)
let synchronizer = CaptureDataOutputSynchronizer(dataOutputs: [video])
try await session.start()

for await set in synchronizer.frameSets.prefix(30) {
  if let one = set[left], let other = set[right] { compare(one, other) }
}
// snippet.hide
await session.stop()
print("in no set:", synchronizer.droppedFrameCounts)
