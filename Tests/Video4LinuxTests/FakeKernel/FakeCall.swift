import CVideo4Linux

/// What a fake kernel can be asked, for scripts of faults and for counting.
enum FakeCall: String, CaseIterable, Sendable {
  case open, close, mmap, munmap, poll
  case queryCapability, enumerateFormats, enumerateFrameSizes, enumerateFrameIntervals
  case getFormat, setFormat, tryFormat, getParameters, setParameters
  case enumerateInputs, getInput, setInput, getControl
  case requestBuffers, queryBuffer, queueBuffer, dequeueBuffer, streamOn, streamOff

  /// Nil for a request that no driver knows.
  init?(request: UInt) {
    let requests: [UInt: FakeCall] = [
      ck_QUERYCAP: .queryCapability, ck_ENUM_FMT: .enumerateFormats,
      ck_ENUM_FRAMESIZES: .enumerateFrameSizes, ck_ENUM_FRAMEINTERVALS: .enumerateFrameIntervals,
      ck_G_FMT: .getFormat, ck_S_FMT: .setFormat, ck_TRY_FMT: .tryFormat,
      ck_G_PARM: .getParameters, ck_S_PARM: .setParameters, ck_ENUMINPUT: .enumerateInputs,
      ck_G_INPUT: .getInput, ck_S_INPUT: .setInput, ck_G_CTRL: .getControl,
      ck_REQBUFS: .requestBuffers, ck_QUERYBUF: .queryBuffer, ck_QBUF: .queueBuffer,
      ck_DQBUF: .dequeueBuffer, ck_STREAMON: .streamOn, ck_STREAMOFF: .streamOff,
    ]
    guard let call = requests[request] else { return nil }
    self = call
  }
}
