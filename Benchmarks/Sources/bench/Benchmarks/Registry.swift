/// Every benchmark, in the order of the table; a new one is a file of its own and a line here.
let allBenchmarks: [Benchmark] = [
  .frameHandover,
  .photoMJPEG,
  .photoYUYV,
  .encodeBGRA,
  .encodeNV12,
  .encodeGrey,
  .encodeTwoThreads,
  .framesYUYV,
  .framesNV12,
  .framesMJPEG,
  .previewLand,
  .previewPort,
  .captureLoop,
  .onePhoto,
  .discovery,
  .stopLatency,
]
