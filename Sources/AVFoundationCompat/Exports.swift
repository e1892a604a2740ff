@_exported public import CaptureKitLinux
@_exported public import Foundation
@_exported public import Imaging

#if Movies
  @_exported public import CaptureKitLibrary
  @_exported public import CaptureKitMovie
#endif
