/// Leaves out the points of a line that cannot be seen.
enum LineThinning {
  /// The line without the points that lie within `tolerance` of it (Douglas and Peucker). Both ends stay.
  static func thin(_ line: [MapPosition], tolerance: Double) -> [MapPosition] {
    let line = withoutRepeats(line, tolerance: tolerance / 2)
    guard line.count > 2 else { return line }
    var keeps = [Bool](repeating: false, count: line.count)
    keeps[0] = true
    keeps[line.count - 1] = true
    var open = [(0, line.count - 1)]
    while let (first, last) = open.popLast() {
      var farthest = 0
      var distance = tolerance * tolerance
      for index in (first + 1)..<max(first + 1, last) {
        let candidate = squaredDistance(line[index], from: line[first], to: line[last])
        if candidate > distance {
          distance = candidate
          farthest = index
        }
      }
      guard farthest > 0 else { continue }
      keeps[farthest] = true
      open.append((first, farthest))
      open.append((farthest, last))
    }
    return zip(line, keeps).filter(\.1).map(\.0)
  }

  /// The lines with a tolerance that starts at `tolerance` and doubles until at most `limit` points are left.
  static func thin(_ lines: [[MapPosition]], tolerance: Double, limit: Int) -> [[MapPosition]] {
    var tolerance = tolerance
    var thinned = lines
    // 60 doublings span any distance; lines of two points each cannot be thinned further.
    for _ in 0..<60 {
      thinned = thinned.map { thin($0, tolerance: tolerance) }
      if thinned.reduce(0, { $0 + $1.count }) <= max(limit, 2 * lines.count) { break }
      tolerance *= 2
    }
    return thinned
  }

  /// Standing still leaves heaps of points, which would make the search slow and show nothing.
  private static func withoutRepeats(_ line: [MapPosition], tolerance: Double) -> [MapPosition] {
    guard var kept = line.first, let end = line.last else { return line }
    var result = [kept]
    for position in line.dropFirst() {
      let (x, y) = (position.x - kept.x, position.y - kept.y)
      guard x * x + y * y > tolerance * tolerance else { continue }
      result.append(position)
      kept = position
    }
    if kept != end { result.append(end) }
    return result
  }

  private static func squaredDistance(_ point: MapPosition, from start: MapPosition, to end: MapPosition) -> Double {
    let (alongX, alongY) = (end.x - start.x, end.y - start.y)
    let (toX, toY) = (point.x - start.x, point.y - start.y)
    let length = alongX * alongX + alongY * alongY
    let part = length > 0 ? min(1, max(0, (toX * alongX + toY * alongY) / length)) : 0
    let (x, y) = (toX - part * alongX, toY - part * alongY)
    return x * x + y * y
  }
}
