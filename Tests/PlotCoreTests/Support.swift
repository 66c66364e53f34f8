import Foundation

@testable import PlotCore

/// SplitMix64: the same numbers on every machine.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  mutating func chance(_ share: Double) -> Bool { Double.random(in: 0..<1, using: &self) < share }
}

/// How many steps a long random test takes: a quarter of them in `make test`, all of them in `make test-long`.
func steps(_ all: Int) -> Int { ProcessInfo.processInfo.environment["PLOT_LONG"] == nil ? all / 4 : all }

/// Where the tests take place, and how many metres a degree of latitude has.
let origin = Coordinate(latitude: 52.36, longitude: 4.885)
let metersPerDegree = Earth.radius * Double.pi / 180

/// A place so many metres north of the origin.
func north(_ meters: Double) -> Coordinate {
  Coordinate(latitude: origin.latitude + meters / metersPerDegree, longitude: origin.longitude)
}

func circle(_ id: String, _ center: Coordinate = origin, radius: Double = 200, fields: [CustomField] = []) -> Region {
  Region(
    id: Identifier(id), name: "Place \(id)", shape: .circle(Circle(center: center, radius: radius)),
    customFields: fields)
}

func beacon(_ id: String) -> Region {
  Region(
    id: Identifier(id), name: nil,
    shape: .beacon(Beacon(proximityUUID: "f7826da6-4fa2-4e98-8024-bc5b71e0893e", majorId: 1, minorId: nil, range: .far))
  )
}

func notification(
  _ id: String, _ trigger: Trigger = .enter, at regions: [Int] = [0], handler: HandlerType = .regular,
  message: String? = nil, data: String = "", start: Milliseconds? = nil, end: Milliseconds? = nil,
  times: TriggerTimes = .standard, segmentation: Segment? = nil, repeatRule: RepeatRule = .once
) -> Campaign {
  Campaign(
    id: Identifier(id), kind: .notification(handler), text: Template(message ?? "message of \(id)")!,
    data: Template(data)!, trigger: trigger, regions: regions, start: start, end: end, times: times,
    segmentation: segmentation, repeatRule: repeatRule)
}

func geotrigger(
  _ id: String, _ trigger: Trigger = .enter, at regions: [Int] = [0], repeatRule: RepeatRule = .once
) -> Campaign {
  Campaign(
    id: Identifier(id), kind: .geotrigger, text: Template("name of \(id)")!, data: Template("")!, trigger: trigger,
    regions: regions, repeatRule: repeatRule)
}

/// A property is equal to a value.
func equals(_ property: String, _ value: PropertyValue) -> Segment {
  .property(Identifier(property), .equals(.value(value)))
}

/// What segmentation sees.
func context(
  _ properties: [Identifier: PropertyValue] = [:], at time: Milliseconds = 0, country: String? = nil,
  shown: [Identifier: Milliseconds] = [:], opened: [Identifier: Milliseconds] = [:]
) -> SegmentContext {
  SegmentContext(time: time, country: country, properties: properties, shown: shown, opened: opened)
}

func feed(_ regions: some Sequence<Region>, _ campaigns: some Sequence<Campaign>) -> Feed {
  let (regions, campaigns) = (Array(regions), Array(campaigns))
  return Feed(revision: nil, regions: regions, campaigns: campaigns, digest: "\(regions) \(campaigns)")
}

func machine(
  _ regions: [Region], _ campaigns: [Campaign], _ configure: (inout Machine.Settings) -> Void = { _ in }
) -> Machine {
  var machine = Machine(state: State(), feed: feed(regions, campaigns))
  machine.settings.noise = .exact
  machine.settings.initial = .enter
  machine.settings.recordsDecisions = true
  configure(&machine.settings)
  return machine
}

extension Machine {
  /// A fix at a place, exact unless said otherwise.
  mutating func fix(_ time: Milliseconds, _ place: Coordinate, accuracy: Double = 0) throws -> Output {
    try update(Fix(time: time, coordinate: place, accuracy: accuracy))
  }

  /// A fix, after which everything that is to be shown has been shown.
  mutating func fixShowing(_ time: Milliseconds, _ place: Coordinate) throws -> [Event] {
    let output = try fix(time, place)
    return try output.events + confirmAll(output)
  }

  /// Tells the machine that everything of an output was shown, or was not; the events of that.
  mutating func confirmAll(_ output: Output, shown: Bool = true) throws -> [Event] {
    var events: [Event] = []
    for item in output.shows { events += try confirm(item.matchIdentifier ?? "", shown: shown).events }
    return events
  }
}

extension Machine.Output {
  var events: [Event] { effects.compactMap { if case .event(let event) = $0 { event } else { nil } } }
  var decisions: [Decision] { effects.compactMap { if case .decision(let decision) = $0 { decision } else { nil } } }
  var shows: [Item] { effects.compactMap { if case .show(let item) = $0 { item } else { nil } } }
  var asks: [Batch] { effects.compactMap { if case .ask(let batch) = $0 { batch } else { nil } } }
  var opens: [Item] { effects.compactMap { if case .open(let item) = $0 { item } else { nil } } }

  /// The reasons of one campaign's decisions, in order.
  func reasons(_ campaign: String) -> [Reason] {
    decisions.filter { $0.campaign == Identifier(campaign) }.map(\.reason)
  }

  /// Its last decision.
  func last(_ campaign: String) -> Decision? { decisions.last { $0.campaign == Identifier(campaign) } }
}

extension [Event] {
  /// `kind region` of each, or `kind campaign`.
  var names: [String] { map { "\($0.kind.rawValue) \($0.item?.campaign.text ?? $0.region.text)" } }
}

extension Batch {
  /// An answer that keeps everything as it is.
  var all: [Kept] { items.map(\.kept) }
}

extension Item {
  var kept: Kept { Kept(matchIdentifier: matchIdentifier ?? "", content: content) }
}

/// All fields of a state as text, whatever fields it has, those of its owners with the owner's name before them.
func dump(_ state: State) -> [String: String] {
  var fields: [String: String] = [:]
  for child in Mirror(reflecting: state).children {
    let name = child.label ?? ""
    let isOwner =
      child.value is HostFacts || child.value is Screen || child.value is History || child.value is MessageState
      || child.value is Delivery
    for field in isOwner ? Array(Mirror(reflecting: child.value).children) : [child] {
      fields[isOwner ? "\(name).\(field.label ?? "")" : name] = text(ofField: field.value)
    }
  }
  return fields
}

/// Dictionaries and sets are sorted.
private func text(ofField value: Any) -> String {
  let mirror = Mirror(reflecting: value)
  guard mirror.displayStyle == .dictionary || mirror.displayStyle == .set else { return "\(value)" }
  return mirror.children.map { "\($0.value)" }.sorted().joined(separator: "\n")
}

/// All of a machine that can be seen from outside.
func dump(_ machine: Machine) -> [String: String] {
  var fields = dump(machine.state)
  fields["feed"] = machine.feed.digest
  fields["lastFix"] = "\(machine.lastFix as Any)"
  fields["nextWakeup"] = "\(machine.nextWakeup as Any)"
  return fields
}

/// As a store gives it back, from changes alone.
func asStored(_ delivery: Delivery) -> Delivery {
  var stored = Delivery(lastToken: delivery.lastToken)
  for held in delivery.held { stored.apply(.held(held)) }
  for batch in delivery.batches { stored.apply(.batch(batch)) }
  for pending in delivery.pending { stored.apply(.pending(pending.item)) }
  for item in delivery.intents { stored.apply(.intent(item)) }
  for answer in delivery.prefiltered.all { stored.apply(.prefiltered(answer)) }
  for waiting in delivery.waiting { stored.apply(.waiting(waiting)) }
  return stored
}
