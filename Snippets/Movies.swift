// Ten seconds of the first camera as a movie, and a picture of it for a list.

import CaptureKitLinux
import CaptureKitMovie
import Foundation

guard let camera = CaptureDevice.default(for: .video) else { throw CaptureError.noDevice }
let session = CaptureSession()
try session.add(CaptureDeviceInput(device: camera))

// snippet.show
let movie = CaptureMovieFileOutput()
movie.maxRecordedDuration = .seconds(10)
movie.preRoll = MoviePreRoll(duration: .seconds(5))  // what was seen before, kept compressed
try session.add(movie)
try await session.start()

let recording = try await movie.startRecording(to: URL(filePath: "party.mkv"))
let recorded = try await recording.finished  // or .stop(); recorded.error says what ended it
await session.stop()

let reader = try MovieReader(contentsOf: recorded.url)
let poster = try reader.posterImage(maxPixelSize: 320)
for try await frame in reader.frames { print(frame.time, frame.pixels.width) }
