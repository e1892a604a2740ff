// What `AVFoundationCompat` has members of the same name but other types for, which hide these in
// its own code.

extension CaptureMovieFileOutput {
  package var longestRecording: Duration? {
    get { maxRecordedDuration }
    set { maxRecordedDuration = newValue }
  }
}
