// swift-format-ignore-file: AlwaysUseLowerCamelCase

// The bare index of PlotCore for the benchmarks in C++: built with the library's own settings, looped here, so that what is
// measured is the index and not a call for each fix.
internal import PlotCore

/// The regions and what is built of them.
private final class Held {
  let regions: [Region]
  var index: RegionIndex?

  init(_ regions: [Region]) {
    self.regions = regions
  }
}

/// Takes `count` circles, each of latitude and longitude in degrees and radius in metres. Freed with `bench_index_free`.
@_cdecl("bench_index_new")
public func bench_index_new(_ circles: UnsafePointer<Double>, _ count: Int) -> UnsafeMutableRawPointer {
  var regions: [Region] = []
  regions.reserveCapacity(count)
  for position in 0..<count {
    let center = unsafe Coordinate(latitude: circles[position * 3], longitude: circles[position * 3 + 1])
    let circle = unsafe Circle(center: center, radius: circles[position * 3 + 2])
    regions.append(Region(id: Identifier("r\(position)"), name: nil, shape: .circle(circle)))
  }
  return unsafe Unmanaged.passRetained(Held(regions)).toOpaque()
}

/// Builds the index; what was built before goes.
@_cdecl("bench_index_build")
public func bench_index_build(_ held: UnsafeMutableRawPointer) {
  let held = unsafe Unmanaged<Held>.fromOpaque(held).takeUnretainedValue()
  held.index = nil
  held.index = RegionIndex(held.regions)
}

/// Asks for each of `count` fixes, latitude and longitude in degrees, in the order given. `totals` receives the number of hits and
/// the checksum of the workload; `counts` and `sums`, where given, the hits and the sum of their numbers for each fix.
@_cdecl("bench_index_ask")
public func bench_index_ask(
  _ held: UnsafeMutableRawPointer, _ fixes: UnsafePointer<Double>, _ order: UnsafePointer<UInt32>, _ count: Int,
  _ totals: UnsafeMutablePointer<UInt64>, _ counts: UnsafeMutablePointer<UInt32>?, _ sums: UnsafeMutablePointer<UInt64>?
) {
  guard let index = unsafe Unmanaged<Held>.fromOpaque(held).takeUnretainedValue().index else { return }
  var hits: UInt64 = 0
  var checksum: UInt64 = 0
  for place in 0..<count {
    let fix = unsafe Int(order[place])
    let coordinate = unsafe Coordinate(latitude: fixes[fix * 2], longitude: fixes[fix * 2 + 1])
    var found: UInt32 = 0
    var sum: UInt64 = 0
    index.forEachContaining(coordinate) { position in
      found += 1
      sum += UInt64(position)
    }
    hits += UInt64(found)
    checksum += sum * UInt64(fix % 1000 + 1)
    if let counts = unsafe counts, let sums = unsafe sums {
      unsafe counts[fix] = found
      unsafe sums[fix] = sum
    }
  }
  unsafe totals[0] = hits
  unsafe totals[1] = checksum
}

/// The same, with a search that looks ahead.
@_cdecl("bench_index_ask_ahead")
public func bench_index_ask_ahead(
  _ held: UnsafeMutableRawPointer, _ fixes: UnsafePointer<Double>, _ order: UnsafePointer<UInt32>, _ count: Int,
  _ totals: UnsafeMutablePointer<UInt64>
) {
  guard let index = unsafe Unmanaged<Held>.fromOpaque(held).takeUnretainedValue().index else { return }
  var ahead = SearchAhead(index.search, count)
  var hits: UInt64 = 0
  var checksum: UInt64 = 0
  var first = 0
  while first < count {
    ahead.look(from: first) { place in
      let fix = unsafe Int(order[place])
      return unsafe Coordinate(latitude: fixes[fix * 2], longitude: fixes[fix * 2 + 1])
    } _: { number, position in
      hits += 1
      checksum += unsafe UInt64(position) * UInt64(order[first + number] % 1000 + 1)
    }
    first += SearchAhead.together
  }
  withExtendedLifetime(index) {}
  unsafe totals[0] = hits
  unsafe totals[1] = checksum
}

@_cdecl("bench_index_free")
public func bench_index_free(_ held: UnsafeMutableRawPointer) {
  unsafe Unmanaged<Held>.fromOpaque(held).release()
}
