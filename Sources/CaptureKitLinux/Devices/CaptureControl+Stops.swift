/// Exposure's bias in stops: a menu of thousandths, or, with some drivers, a plain number of them.
extension CaptureControl {
  /// The stops that a value stands for; nil for one that the menu does not have.
  func stops(at number: Int64) -> Float? {
    guard kind == .integerMenu else { return Float(number) / 1000 }
    return menu.first { $0.index == number }?.number.map { Float($0) / 1000 }
  }

  /// All of a menu, or the ends of a range, lowest first.
  var allStops: [Float] {
    guard kind == .integerMenu else {
      return [range.lowerBound, nearest(to: range.upperBound)].compactMap(stops)
    }
    return menu.map(\.index).compactMap(stops).sorted()
  }

  /// The value whose stops differ least from a wish; nil where it lies beyond all of them.
  func value(forStops wish: Float) -> Int64? {
    guard let lowest = allStops.first, let highest = allStops.last, wish >= lowest, wish <= highest
    else { return nil }
    guard kind == .integerMenu else {
      return nearest(to: ControlScale.nearest(to: Double(wish) * 1000, in: range))
    }
    return menu.min { one, other in
      abs((stops(at: one.index) ?? .infinity) - wish)
        < abs((stops(at: other.index) ?? .infinity) - wish)
    }?.index
  }
}
