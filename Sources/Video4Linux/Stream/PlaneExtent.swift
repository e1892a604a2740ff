/// Where in a plane's memory its picture lies.
struct PlaneExtent {
  var start = 0
  var count = 0

  static let empty = PlaneExtent()

  /// Keeps what a driver says within the memory that there is.
  /// - Parameters:
  ///   - used: Where the picture ends, counted from the memory's start.
  ///   - offset: Where it begins.
  ///   - capacity: The memory's length.
  init(used: UInt32, offset: UInt32, capacity: Int) {
    let end = min(Int(used), capacity)
    start = min(Int(offset), end)
    count = end - start
  }

  private init() {}
}
