/// The text in a kernel structure's character array: up to its first zero, whatever its encoding.
func kernelText<Characters>(_ characters: Characters) -> String {
  unsafe withUnsafeBytes(of: characters) { bytes in
    unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }
}
