/// Looks for a place in a list that is in order.
enum Bisection {
  /// The first of `count` places that is not before what is looked for; `count` when all are. Those before it come first. Places, and not
  /// elements, go to `isBefore`, so that no element is copied.
  @inline(__always)
  static func place(in count: Int, where isBefore: (Int) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if isBefore(middle) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
