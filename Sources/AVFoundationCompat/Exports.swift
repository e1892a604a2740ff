@_exported public import CaptureKitLinux
@_exported public import Foundation
@_exported public import Imaging
