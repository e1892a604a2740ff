import Foundation
import LinuxSystem

extension Data {
  /// Takes a file's bytes over without a copy.
  init(taking bytes: consuming FileBytes) {
    let memory = bytes.take()
    guard let start = memory.baseAddress else {
      self.init()
      return
    }
    self.init(bytesNoCopy: start, count: memory.count, deallocator: .free)
  }
}
