/// When a group is entered, and how long it is held.
extension Group {
  /// Whether one is inside, of whose members so many are visited. `isVisited`: the group itself.
  func isInside(beacons: Int, geofences: Int, isVisited: Bool) -> Bool {
    let visited = beacons + geofences
    let enters =
      switch enter {
      case .any: visited > 0
      case .all: visited == members.count
      case .beacon: beacons > 0
      case .geofence: geofences > 0
      }
    guard isVisited, !enters else { return enters }
    return switch hold {
    case .any: visited > 0
    case .beacon: beacons > 0
    case .geofence: geofences > 0
    }
  }
}

extension Crossing {
  /// Of crossings, the one that made a group entered, or left: of several at one moment, the first that was enough, or the last that it took.
  static func cause(of group: Group, _ isEnter: Bool, _ crossings: [Crossing]) -> Crossing? {
    let members = crossings.count > 1 ? Set(group.members) : []
    let own = crossings.filter {
      $0.isEnter == isEnter && (crossings.count > 1 ? members.contains($0.region) : group.members.contains($0.region))
    }
    return isEnter && group.enter != .all ? own.min { $0.since < $1.since } : own.max { $0.since < $1.since }
  }
}
