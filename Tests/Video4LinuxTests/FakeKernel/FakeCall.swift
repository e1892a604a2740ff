import CVideo4Linux

/// What a fake kernel can be asked, for scripts of faults and for counting.
enum FakeCall: String, CaseIterable, Sendable {
  case open, close, mmap, munmap, poll
  case queryCapability, enumerateFormats, enumerateFrameSizes, enumerateFrameIntervals
  case getFormat, setFormat, tryFormat, getParameters, setParameters
  case enumerateInputs, getInput, getControl
  case queryControl, queryExtendedControl, queryMenu, setControl
  case getExtendedControls, setExtendedControls, tryExtendedControls
  case subscribeEvent, dequeueEvent, queryTimings, setTimings
  case requestBuffers, queryBuffer, queueBuffer, dequeueBuffer, streamOn, streamOff, resetUSBDevice

  /// Nil for a request that no driver knows.
  init?(request: UInt) {
    let requests: [UInt: FakeCall] = [
      ck_QUERYCAP: .queryCapability, ck_ENUM_FMT: .enumerateFormats,
      ck_ENUM_FRAMESIZES: .enumerateFrameSizes, ck_ENUM_FRAMEINTERVALS: .enumerateFrameIntervals,
      ck_G_FMT: .getFormat, ck_S_FMT: .setFormat, ck_TRY_FMT: .tryFormat,
      ck_G_PARM: .getParameters, ck_S_PARM: .setParameters, ck_ENUMINPUT: .enumerateInputs,
      ck_G_INPUT: .getInput, ck_G_CTRL: .getControl,
      ck_QUERYCTRL: .queryControl, ck_QUERY_EXT_CTRL: .queryExtendedControl,
      ck_QUERYMENU: .queryMenu, ck_S_CTRL: .setControl, ck_G_EXT_CTRLS: .getExtendedControls,
      ck_S_EXT_CTRLS: .setExtendedControls, ck_TRY_EXT_CTRLS: .tryExtendedControls,
      ck_SUBSCRIBE_EVENT: .subscribeEvent, ck_DQEVENT: .dequeueEvent,
      ck_REQBUFS: .requestBuffers, ck_QUERYBUF: .queryBuffer, ck_QBUF: .queueBuffer,
      ck_QUERY_DV_TIMINGS: .queryTimings, ck_S_DV_TIMINGS: .setTimings,
      ck_DQBUF: .dequeueBuffer, ck_STREAMON: .streamOn, ck_STREAMOFF: .streamOff,
      ck_USB_RESET: .resetUSBDevice,
    ]
    guard let call = requests[request] else { return nil }
    self = call
  }
}
