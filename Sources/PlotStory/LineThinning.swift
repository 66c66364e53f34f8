/// Leaves out the points of a line that cannot be seen.
package enum LineThinning {
  /// The line without the points that lie within `tolerance` of it (Douglas and Peucker). Both ends stay.
  package static func thin(_ line: [MapPosition], tolerance: Double) -> [MapPosition] {
    let line = withoutRepeats(line, tolerance: tolerance / 2)
    let keeps = kept(line.count, tolerance) { squaredDistance(line[$0], from: line[$1], to: line[$2]) }
    return zip(line, keeps).filter(\.1).map(\.0)
  }

  /// The lines with a tolerance that starts at `tolerance` and doubles until at most `limit` points are left.
  package static func thin(_ lines: [[MapPosition]], tolerance: Double, limit: Int) -> [[MapPosition]] {
    limited(lines, tolerance: tolerance, limit: limit) { thin($0, tolerance: $1) }
  }

  /// A track, in the order of its times, without the moments at which the rest of it tells within `tolerance` where the device was.
  package static func thin(_ track: [MapMoment], tolerance: Double) -> [MapMoment] {
    let keeps = kept(track.count, tolerance) { squaredDistance(track[$0], from: track[$1], to: track[$2]) }
    return zip(track, keeps).filter(\.1).map(\.0)
  }

  /// The same for the pieces of a track, with a limit as for lines.
  package static func thin(_ pieces: [[MapMoment]], tolerance: Double, limit: Int) -> [[MapMoment]] {
    limited(pieces, tolerance: tolerance, limit: limit) { thin($0, tolerance: $1) }
  }

  private static func limited<Point>(
    _ lines: [[Point]], tolerance: Double, limit: Int, _ thin: ([Point], Double) -> [Point]
  ) -> [[Point]] {
    var tolerance = tolerance
    var thinned = lines
    // 60 doublings span any distance; lines of two points each cannot be thinned further.
    for _ in 0..<60 {
      thinned = thinned.map { thin($0, tolerance) }
      if thinned.reduce(0, { $0 + $1.count }) <= max(limit, 2 * lines.count) { break }
      tolerance *= 2
    }
    return thinned
  }

  /// Which of the points stay; `distance(i, a, b)` is the squared distance of point `i` from the line between `a` and `b`.
  private static func kept(_ count: Int, _ tolerance: Double, _ distance: (Int, Int, Int) -> Double) -> [Bool] {
    guard count > 2 else { return [Bool](repeating: true, count: count) }
    var keeps = [Bool](repeating: false, count: count)
    // In stretches, for a line that goes to and fro all the time would take the square of its length.
    var open: [(Int, Int)] = []
    for start in stride(from: 0, to: count - 1, by: 512) {
      let end = min(start + 512, count - 1)
      keeps[start] = true
      keeps[end] = true
      open.append((start, end))
    }
    while let (first, last) = open.popLast() {
      var farthest = 0
      var most = tolerance * tolerance
      for index in (first + 1)..<max(first + 1, last) {
        let candidate = distance(index, first, last)
        if candidate > most {
          most = candidate
          farthest = index
        }
      }
      guard farthest > 0 else { continue }
      keeps[farthest] = true
      open.append((first, farthest))
      open.append((farthest, last))
    }
    return keeps
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

  /// From where the device would be at the time of the moment, at an even pace between the two.
  private static func squaredDistance(_ moment: MapMoment, from start: MapMoment, to end: MapMoment) -> Double {
    let length = Double(end.time - start.time)
    let part = length > 0 ? Double(moment.time - start.time) / length : 0
    let x = moment.position.x - start.position.x - part * (end.position.x - start.position.x)
    let y = moment.position.y - start.position.y - part * (end.position.y - start.position.y)
    return x * x + y * y
  }
}
