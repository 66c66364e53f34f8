package import PlotCore
internal import PlotDocuments
package import PlotEngine
package import PlotTracks

/// The story of a recording: visits, candidates, and their outcomes.
package struct Story {
  /// A campaign whose trigger came at a region, or a message that came.
  package struct Candidate {
    package enum Result {
      case shown(Int64)
      /// Dropped, or still held at the end.
      case stopped(Decision)
      /// On its way when the recording ends.
      case open
    }

    package var campaign: String
    package var region: String
    package var visit: String
    /// The message's id, where it is none of a campaign.
    package var message: String?
    package var time: Int64
    package var decisions: [Decision] = []

    package var key: String { message ?? "\(campaign);\(region);\(visit)" }

    package var result: Result {
      let own = decisions.filter { ![.remove, .attachment, .suppress].contains($0.step) }
      if let shown = own.last(where: { $0.step == .show && $0.verdict == .pass }) { return .shown(shown.time) }
      guard let last = own.last, last.verdict != .pass else { return .open }
      return .stopped(last)
    }
  }

  package struct Visit {
    package var region: String
    package var id: String
    package var ordinal: Int64?
    package var entered: Int64
    package var left: Int64?
    /// The device was inside at a first fix, which is no enter unless the configuration says so.
    package var isFound = false
  }

  /// The same decision about presence in one region, again and again.
  package struct Doubt {
    package var decision: Decision
    package var count: Int
    package var last: Int64
  }

  /// One thing that happened, as the minute of `--at` shows it.
  package struct Moment {
    package enum What {
      case input(Input)
      case refusal(String)
      case event(Event)
      case decision(Decision)
    }

    package var time: Int64
    package var what: What
  }

  package private(set) var candidates: [Candidate] = []
  package private(set) var visits: [Visit] = []
  package private(set) var doubts: [String: [Doubt]] = [:]
  /// Events of notifications after they were shown.
  package private(set) var aftermath: [Event] = []
  package private(set) var moments: [Moment] = []
  package private(set) var fixes = 0
  package private(set) var inputs = 0
  package private(set) var refusals = 0
  package private(set) var first: Int64?
  package private(set) var last: Int64 = 0
  /// The machine at the end.
  package private(set) var machine: Machine?

  private var way: [(time: Int64, place: Coordinate)] = []
  private var open: [String: Int] = [:]

  /// Reads it line by line; a map, where one is wanted, gathers beside it, in its own clock or in that of the device.
  package init(
    _ next: () throws -> [UInt8]?, drawingOn map: inout MapCollector?, clock: LocalClock? = nil
  ) throws {
    let replay = Replay()
    while let line = try next() {
      let played = try replay.play(line)
      if map != nil, let zone = replay.machine?.state.host.zone { map?.clock = clock ?? LocalClock(zone) }
      if map != nil { try map?.take(played, replay.machine?.feed) }
      switch played.line {
      case .start(let start):
        first = start.time
        last = start.time
        // Visits that an earlier life of the engine has begun.
        for visit in replay.machine?.state.presence.visits ?? [] {
          visits.append(
            Visit(
              region: visit.region.text, id: visit.id, ordinal: visit.ordinal, entered: visit.entered,
              isFound: visit.isSilent))
        }
      case .input(let recorded): take(recorded, played)
      case .host, .effect, .sync: break
      }
      for effect in played.effects { take(effect) }
    }
    machine = replay.machine
    guard first != nil else { throw TrackError(at: .file, expected: "a recording", found: "an empty file") }
  }

  package init(_ next: () throws -> [UInt8]?) throws {
    var map: MapCollector?
    try self.init(next, drawingOn: &map)
  }

  package var feed: Feed { machine?.feed ?? .empty }

  /// The device's, at the end.
  package var clock: LocalClock { LocalClock(machine?.state.host.zone ?? .utc) }

  package func regionName(_ id: String) -> String {
    feed.region(Identifier(id)).flatMap { feed.regions[$0].name } ?? id
  }

  /// How near a fix came to the edge of a region, in metres, negative inside, and when; nil where no fix can.
  package func nearest(_ id: String) -> (meters: Double, time: Int64)? {
    guard let region = feed.region(Identifier(id)).map({ feed.regions[$0] }), !region.isMoving else { return nil }
    var nearest: (meters: Double, time: Int64)?
    for (time, place) in way {
      guard let meters = region.shape.edgeDistance(from: place) else { return nil }
      if meters < nearest?.meters ?? .infinity { nearest = (meters, time) }
    }
    return nearest
  }

  package func opened(_ campaign: String) -> Int {
    Set(
      aftermath.filter { $0.kind == .notificationOpened && $0.item?.campaign.text == campaign }.map {
        $0.item?.matchIdentifier
      }
    ).count
  }

  // MARK: Reading

  private mutating func take(_ recorded: RecordedInput, _ played: Replay.Played) {
    inputs += 1
    guard case .machine(let input) = recorded.value else { return }
    let time = max(last, input.time ?? last)
    last = time
    switch input {
    case .confirm, .confirmRemoved, .states, .vote: break
    case .fix(let fix) where played.refusal == nil:
      fixes += 1
      way.append((fix.time, fix.coordinate))
      moments.append(Moment(time: time, what: .input(input)))
    case .fixes(let together, _):
      fixes += together.count
      for fix in together.sorted(by: { $0.time < $1.time }) { way.append((fix.time, fix.coordinate)) }
      moments.append(Moment(time: time, what: .input(input)))
    default: moments.append(Moment(time: time, what: .input(input)))
    }
    if let refusal = played.refusal {
      refusals += 1
      moments.append(Moment(time: time, what: .refusal(refusal.message)))
    }
  }

  private mutating func take(_ effect: Machine.Effect) {
    switch effect {
    case .event(let event):
      last = max(last, event.time)
      moments.append(Moment(time: event.time, what: .event(event)))
      switch event.kind {
      case .regionEnter, .regionInside:
        visits.append(
          Visit(
            region: event.region.text, id: event.visit, ordinal: event.ordinal, entered: event.since ?? event.time,
            isFound: event.kind == .regionInside))
      case .regionExit:
        if let index = visits.lastIndex(where: { $0.id == event.visit }) {
          visits[index].left = event.since ?? event.time
        }
      case .notificationOpened, .notificationAction, .notificationDismissed, .notificationRemoved:
        aftermath.append(event)
      default: break
      }
    case .decision(let decision):
      moments.append(Moment(time: decision.time, what: .decision(decision)))
      if decision.campaign == nil, decision.message == nil {
        doubt(decision)
      } else {
        add(decision)
      }
    default: break
    }
  }

  private mutating func doubt(_ decision: Decision) {
    let region = decision.region?.text ?? ""
    if let index = doubts[region]?.lastIndex(where: {
      $0.decision.reason == decision.reason && $0.decision.detail == decision.detail
    }) {
      doubts[region]?[index].count += 1
      doubts[region]?[index].last = decision.time
    } else {
      doubts[region, default: []].append(Doubt(decision: decision, count: 1, last: decision.time))
    }
  }

  private mutating func add(_ decision: Decision) {
    var candidate = Candidate(
      campaign: decision.campaign?.text ?? "", region: decision.region?.text ?? "", visit: decision.visit ?? "",
      message: decision.message, time: decision.time)
    let isBeginning = decision.step == .trigger || decision.step == .revision
    if !isBeginning, let index = open[candidate.key] {
      candidates[index].decisions.append(decision)
      return
    }
    candidate.decisions = [decision]
    open[candidate.key] = candidates.count
    candidates.append(candidate)
  }
}

extension MapCollector {
  /// A line of a recording, and what it leads to. `feed` is the one in force after it.
  package mutating func take(_ played: Replay.Played, _ feed: Feed?) throws {
    switch played.line {
    case .start: if let feed { add(feed) }
    case .input(let recorded):
      guard case .machine(let input) = recorded.value else { break }
      switch input {
      case .fix(let fix) where played.refusal == nil: add(TrackPoint(fix))
      case .fixes(let fixes, _) where played.refusal == nil:
        for fix in fixes.sorted(by: { $0.time < $1.time }) { add(TrackPoint(fix)) }
      case .move(let region, let center, let time) where played.refusal == nil:
        move(region.text, to: center, at: time)
      case .feed(let feed, _): add(feed)
      default: break
      }
    case .host, .effect, .sync: break
    }
    for effect in played.effects {
      switch effect {
      case .event(let own): event(try RunRecord(own.json))
      case .decision(let own): decision(try RunRecord(own.json), sentence: own.sentence(in: clock.rules))
      default: break
      }
    }
  }
}
