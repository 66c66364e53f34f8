public import PlotCore
internal import PlotDocuments

/// Areas from which a place is reached in so many minutes, in the place of a feed's circles. A Valhalla service works them out; this is what it
/// is asked, and what becomes of its answers (docs/feed.md, Isochrones).
public struct Isochrones: Sendable {
  public var mode: TravelTime.Mode
  /// 1 to 120 each.
  public var minutes: [Int64]

  /// A service computes no more contours at once.
  public static let mostContours = 4
  public static let range: ClosedRange<Int64> = 1...120

  public init(mode: TravelTime.Mode, minutes: [Int64]) { (self.mode, self.minutes) = (mode, minutes) }

  /// The feed with an area for each of its circles and each of the minutes: `ID-5-auto` for five minutes of driving to `ID`. Campaigns of a
  /// circle are campaigns of its areas; the circle stays where a step, a group or the host (`moving`) needs it. `ask` takes a request to a
  /// service and gives its answer.
  public func feed(_ feed: Feed, ask: (_ request: String) throws -> [UInt8]) throws -> Feed {
    let named = Self.namedElsewhere(feed)
    var regions: [Region] = []
    // The new positions of each region.
    var places: [[Int]] = []
    var ids = Set(feed.regions.map(\.id))
    for region in feed.regions {
      guard case .circle(let circle) = region.shape, !region.isMoving else {
        places.append([regions.count])
        regions.append(region)
        continue
      }
      if named.contains(region.id) { regions.append(region) }
      var areas: [Int] = []
      for (minutes, area) in try self.areas(around: circle.center, of: region.id, ask) {
        var copy = region
        copy.values.id = Identifier("\(region.id.text)-\(minutes)-\(mode.rawValue)")
        guard ids.insert(copy.id).inserted else { throw Fault("the feed has a region \"\(copy.id.text)\" already") }
        copy.values.shape = .area(area)
        copy.values.travel = TravelTime(minutes: minutes, mode: mode)
        areas.append(regions.count)
        regions.append(copy)
      }
      places.append(areas)
    }
    let campaigns = feed.campaigns.map { campaign in
      var campaign = campaign
      campaign.values.regions = campaign.regions.flatMap { places[$0] }
      return campaign
    }
    return Feed(
      revision: feed.revision, regions: regions, campaigns: campaigns, settings: feed.settings,
      categories: feed.categories, digest: "")
  }

  /// The regions that something names besides a campaign's own list.
  private static func namedElsewhere(_ feed: Feed) -> Set<Identifier> {
    var named: Set<Identifier> = []
    for campaign in feed.campaigns { for link in campaign.after?.links ?? [] { named.insert(link.region) } }
    for region in feed.regions {
      if case .group(let group) = region.shape { named.formUnion(group.members) }
    }
    return named
  }

  private func areas(
    around place: Coordinate, of region: Identifier, _ ask: (String) throws -> [UInt8]
  ) throws -> [(minutes: Int64, area: Area)] {
    var areas: [(minutes: Int64, area: Area)] = []
    let sorted = Array(Set(minutes)).sorted()
    for start in stride(from: 0, to: sorted.count, by: Self.mostContours) {
      let some = Array(sorted[start..<min(start + Self.mostContours, sorted.count)])
      do {
        areas += try Self.areas(ask(request(place, some)), some)
      } catch let fault as Fault {
        throw Fault("region \"\(region.text)\": \(fault.description)")
      }
    }
    return areas
  }

  /// The body of a request to `/isochrone`: those who go to the place count, and not those who leave it.
  func request(_ place: Coordinate, _ minutes: [Int64]) -> String {
    let location = JSONValue.object([("lat", .real(place.latitude)), ("lon", .real(place.longitude))])
    let contours = minutes.map { JSONValue.object([("time", .integer($0))]) }
    return JSONValue.object([
      ("locations", .array([location])), ("costing", .string(mode.rawValue)), ("contours", .array(contours)),
      ("polygons", .boolean(true)), ("reverse", .boolean(true)),
    ]).text
  }

  /// The areas of an answer, from the shortest way to the longest.
  static func areas(_ answer: [UInt8], _ minutes: [Int64]) throws(Fault) -> [(minutes: Int64, area: Area)] {
    let features: Feed
    do throws(DocumentError) {
      features = try GeoJSONImport().feed(from: answer)
    } catch {
      // Its own words, where it has some.
      if case .string(let said)? = (try? JSONValue(parsing: answer))?["error"] {
        throw Fault("the service says: \(said)")
      }
      throw Fault("the service's answer is no GeoJSON: \(error.message)")
    }
    return try minutes.map { (minutes) throws(Fault) in
      let found = features.regions.first { $0.field("contour").flatMap(Double.init) == Double(minutes) }
      guard case .area(let area)? = found?.shape, case .polygons(let polygons) = area.outline else {
        throw Fault("the service's answer has no polygon of \(minutes) minutes")
      }
      // Its answer where it has no map: a small square on its corner.
      guard polygons.count > 1 || polygons[0].count > 1 || polygons[0][0].count > 5 || area.reach > 120 else {
        throw Fault("the service knows no way there; has it a map of this place?")
      }
      return (minutes, area)
    }
  }

  /// A place of which no areas can be had.
  public struct Fault: Error, CustomStringConvertible {
    public let description: String

    init(_ description: String) { self.description = description }
  }
}
