internal import PlotEngineKit

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Positions from GeoClue2, over the system bus.
final class SourceGeoClue {
  private static let service = "org.freedesktop.GeoClue2"
  private static let manager = Bus.Target(
    service: service, path: "/org/freedesktop/GeoClue2/Manager", interface: "org.freedesktop.GeoClue2.Manager")
  /// GCLUE_ACCURACY_LEVEL_EXACT.
  private static let exact: UInt32 = 8

  private let bus: Bus
  private let journal: Journal
  private let desktopId: String
  private let take: (PlaceReport) -> Void
  private var client: Bus.Target?
  private var updates: Bus.Subscription?
  private var retry: LoopTimer?
  private var backoff = Backoff(longest: 600_000)
  private var absence = Complaint()
  private var nonsense = Complaint()
  private(set) var state = "not connected"
  private(set) var fixes = 0
  private(set) var faults = 0

  init(
    _ bus: Bus, _ loop: EventLoop, _ journal: Journal, desktopId: String, _ take: @escaping (PlaceReport) -> Void
  ) throws(SystemFault) {
    self.bus = bus
    self.journal = journal
    self.desktopId = desktopId
    self.take = take
    retry = try loop.timer { [weak self] in self?.begin() }
    bus.follow(
      connected: { [weak self] in self?.begin() }, disconnected: { [weak self] in self?.end("the bus has gone") })
    bus.watchOwner(of: Self.service) { [weak self] owner in
      guard let self else { return }
      if owner == nil { end("it has ended") } else if client == nil { begin() }
    }
  }

  private func end(_ why: String) {
    client = nil
    if let updates { bus.unsubscribe(updates) }
    updates = nil
    state = "not connected"
    if absence.isNew(why) { journal.info("GeoClue: no positions: \(why); trying again") }
    if bus.isConnected { retry?.set(after: backoff.delay()) }
  }

  /// Asks for a new position, where there is no need for one otherwise.
  func request() {
    guard let client, state == "connected" else { return }
    bus.call(client, "Stop") { [weak self] _ in
      self?.bus.call(client, "Start") { _ in }
    }
  }

  /// The service starts by being called.
  private func begin() {
    retry?.set(after: nil)
    guard client == nil else { return }
    bus.call(Self.manager, "GetClient") { [weak self] answer in
      guard let self else { return }
      switch answer {
      case .success(let values):
        guard let path = values.first?.text else { return complain("GetClient: expected a path, found \(values)") }
        start(Bus.Target(service: Self.service, path: path, interface: Self.service + ".Client"))
      case .failure(let fault): end("\(fault)")
      }
    }
  }

  private func start(_ client: Bus.Target) {
    self.client = client
    if let updates { bus.unsubscribe(updates) }
    updates = bus.subscribe(
      .init(sender: Self.service, path: client.path, interface: client.interface, member: "LocationUpdated")
    ) { [weak self] _, values in
      guard values.count == 2, let path = values[1].text, path.hasPrefix("/") else {
        self?.complain("LocationUpdated: expected two paths, found \(values.count) values")
        return
      }
      self?.fetch(path)
    }
    let settings: [(String, BusArgument)] = [
      ("DesktopId", .text(desktopId)), ("RequestedAccuracyLevel", .unsigned(Self.exact)),
      ("DistanceThreshold", .unsigned(0)), ("TimeThreshold", .unsigned(0)),
    ]
    for (name, value) in settings {
      bus.set(client, name, value) { [weak self] answer in
        if case .failure(let fault) = answer { self?.journal.debug("GeoClue: \(name): \(fault)") }
      }
    }
    bus.call(client, "Start") { [weak self] answer in
      switch answer {
      case .success:
        self?.absence.end()
        self?.backoff.reset()
        self?.state = "connected"
        self?.journal.info("GeoClue: connected")
      case .failure(let fault): self?.end("it refuses: \(fault)")
      }
    }
  }

  private func fetch(_ path: String) {
    let properties = Bus.Target(service: Self.service, path: path, interface: "org.freedesktop.DBus.Properties")
    bus.call(properties, "GetAll", [.text(Self.service + ".Location")]) { [weak self] answer in
      guard let self else { return }
      switch answer {
      case .success(let values):
        guard let report = Self.report(values.first ?? .structure([])) else {
          faults += 1
          return complain("expected Latitude and Longitude in degrees, found others")
        }
        nonsense.end()
        fixes += 1
        take(report)
      case .failure(let fault):
        faults += 1
        complain("a location cannot be read: \(fault)")
      }
    }
  }

  /// The properties of a location: -1 stands for a speed or heading that is not known.
  static func report(_ location: BusValue) -> PlaceReport? {
    func known(_ name: String) -> Double? { location[name]?.double.flatMap { $0 >= 0 && $0.isFinite ? $0 : nil } }
    guard let latitude = location["Latitude"]?.double, let longitude = location["Longitude"]?.double else { return nil }
    var time: Date?
    if let parts = location["Timestamp"]?.structure, parts.count == 2, let seconds = parts[0].integer,
      let microseconds = parts[1].integer, (1...1_000_000_000_000).contains(seconds)
    {
      time = Date(timeIntervalSince1970: Double(seconds) + Double(min(max(0, microseconds), 999_999)) / 1_000_000)
    }
    let report = PlaceReport(
      latitude: latitude, longitude: longitude, accuracy: known("Accuracy").flatMap { $0 > 0 ? $0 : nil },
      speed: known("Speed"), course: known("Heading").flatMap { $0 < 360 ? $0 : nil }, time: time)
    return report.isInRange ? report : nil
  }

  private func complain(_ text: String) {
    if nonsense.isNew(text) { journal.warning("GeoClue: \(text)") }
  }
}
