import CVideo4Linux

/// The ioctl(2) requests that this package makes.
enum Request {
  static let queryCapability = UInt(ck_QUERYCAP)
  static let enumerateFormats = UInt(ck_ENUM_FMT)
  static let enumerateFrameSizes = UInt(ck_ENUM_FRAMESIZES)
  static let enumerateFrameIntervals = UInt(ck_ENUM_FRAMEINTERVALS)
  static let getFormat = UInt(ck_G_FMT)
  static let setFormat = UInt(ck_S_FMT)
  static let tryFormat = UInt(ck_TRY_FMT)
  static let getParameters = UInt(ck_G_PARM)
  static let setParameters = UInt(ck_S_PARM)
  static let enumerateInputs = UInt(ck_ENUMINPUT)
  static let getInput = UInt(ck_G_INPUT)
  static let setInput = UInt(ck_S_INPUT)
  static let getControl = UInt(ck_G_CTRL)
  static let requestBuffers = UInt(ck_REQBUFS)
  static let queryBuffer = UInt(ck_QUERYBUF)
  static let queueBuffer = UInt(ck_QBUF)
  static let dequeueBuffer = UInt(ck_DQBUF)
  static let streamOn = UInt(ck_STREAMON)
  static let streamOff = UInt(ck_STREAMOFF)
}
