package import PlotCore
package import PlotDocuments

/// The UUID of all iBeacons in the tests.
package let beaconUUID = "f7826da6-4fa2-4e98-8024-bc5b71e0893e"

// MARK: Regions

package func circle(
  _ id: String, _ center: Coordinate = origin, radius: Double = 200, fields: [CustomField] = []
) -> Region {
  Region(
    id: Identifier(id), name: "Place \(id)", shape: .circle(Circle(center: center, radius: radius)),
    customFields: fields)
}

package func beacon(_ id: String, minor: UInt16? = nil, range: BeaconRange = .far) -> Region {
  Region(
    id: Identifier(id), name: nil,
    shape: .beacon(Beacon(proximityUUID: beaconUUID, majorId: 1, minorId: minor, range: range)))
}

// MARK: Campaigns

package func notification(
  _ id: String, _ trigger: Trigger = .enter, at regions: [Int] = [0], handler: HandlerType = .regular,
  message: String? = nil, data: String = "", start: Milliseconds? = nil, end: Milliseconds? = nil,
  times: TriggerTimes = .standard, segmentation: Segment? = nil, repeatRule: RepeatRule = .once
) -> Campaign {
  Campaign(
    id: Identifier(id), kind: .notification(handler), text: Template(message ?? "message of \(id)")!,
    data: Template(data)!, trigger: trigger, regions: regions, start: start, end: end, times: times,
    segmentation: segmentation, repeatRule: repeatRule)
}

package func geotrigger(
  _ id: String, _ trigger: Trigger = .enter, at regions: [Int] = [0], repeatRule: RepeatRule = .once
) -> Campaign {
  Campaign(
    id: Identifier(id), kind: .geotrigger, text: Template("name of \(id)")!, data: Template("")!, trigger: trigger,
    regions: regions, repeatRule: repeatRule)
}

extension Campaign {
  package func with(_ change: (inout Campaign.Values) -> Void) -> Campaign {
    var copy = self
    change(&copy.values)
    return copy
  }
}

// MARK: Hours

extension OpeningHours {
  /// The same hours on each day of the week, in minutes after midnight.
  package static func daily(_ spans: (start: Int64, end: Int64)...) -> OpeningHours {
    let day = spans.map { Span(start: $0.start, end: $0.end) }
    return OpeningHours(week: Array(repeating: day, count: 7))
  }
}

// MARK: Feeds and machines

package func feed(
  _ regions: some Sequence<Region>, _ campaigns: some Sequence<Campaign>,
  _ change: (inout FeedSettings) -> Void = { _ in }
) -> Feed {
  let (regions, campaigns) = (Array(regions), Array(campaigns))
  var settings = FeedSettings()
  change(&settings)
  return Feed(
    revision: nil, regions: regions, campaigns: campaigns, settings: settings,
    digest: "\(regions) \(campaigns) \(settings)")
}

/// A new device that takes each fix for exact, counts the first one as an enter, and records its decisions.
package func machine(
  _ regions: [Region], _ campaigns: [Campaign], _ configure: (inout Machine.Settings) -> Void = { _ in }
) -> Machine {
  var machine = Machine(state: State(), feed: feed(regions, campaigns))
  machine.settings.noise = .exact
  machine.settings.initial = .enter
  machine.settings.recordsDecisions = true
  configure(&machine.settings)
  return machine
}

// MARK: Documents

extension Feed {
  package static func parse(_ text: String) throws(DocumentError) -> Feed { try parse(Array(text.utf8)) }
}

extension Configuration {
  package init(_ text: String) throws(DocumentError) { try self.init(parsing: Array(text.utf8)) }
}
