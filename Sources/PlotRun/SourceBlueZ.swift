internal import PlotEngineKit

/// Beacons from BlueZ, over the system bus.
///
/// While the feed has beacons, every adapter searches for LE devices; advertisements come as signals.
final class SourceBlueZ {
  private static let service = "org.bluez"
  private static let device = "org.bluez.Device1"
  private static let adapter = "org.bluez.Adapter1"
  private static let root = Bus.Target(service: service, path: "/", interface: "org.freedesktop.DBus.ObjectManager")
  /// One beacon counts once in so many milliseconds: advertisements come ten times a second.
  private static let interval: Int64 = 1000
  /// More beacons than these around one device are not remembered.
  private static let limit = 1024

  private let bus: Bus
  private let journal: Journal
  private let take: (Sighting) -> Void
  private var adapters: Set<String> = []
  /// By the path of a device.
  private var heard: [String: Memory] = [:]

  private struct Memory {
    var beacon: Advertisement.Heard
    var rssi: Int64?
    var at: Int64
  }

  private var retry: LoopTimer?
  private var backoff = Backoff(longest: 600_000)
  private var absence = Complaint()
  private var nonsense = Complaint()
  private(set) var sightings = 0
  private(set) var faults = 0
  /// Whether there is something to search for.
  var isWanted = false {
    didSet { if isWanted != oldValue { isWanted ? begin() : end() } }
  }

  var state: String {
    !isWanted ? "not wanted: the feed has no beacons" : adapters.isEmpty ? "no adapter" : "searching"
  }

  init(
    _ bus: Bus, _ loop: EventLoop, _ journal: Journal, _ take: @escaping (Sighting) -> Void
  ) throws(SystemFault) {
    self.bus = bus
    self.journal = journal
    self.take = take
    retry = try loop.timer { [weak self] in self?.begin() }
    bus.follow(connected: { [weak self] in self?.begin() }, disconnected: { [weak self] in self?.adapters = [] })
    bus.watchOwner(of: Self.service) { [weak self] owner in
      self?.adapters = []
      self?.heard = [:]
      if owner != nil { self?.begin() }
    }
    bus.subscribe(.init(sender: Self.service, path: nil, interface: Self.root.interface, member: "InterfacesAdded")) {
      [weak self] _, values in
      guard values.count == 2, let path = values[0].text else { return }
      self?.add(path, values[1])
    }
    bus.subscribe(.init(sender: Self.service, path: nil, interface: Self.root.interface, member: "InterfacesRemoved")) {
      [weak self] _, values in
      guard values.count == 2, let path = values[0].text else { return }
      self?.adapters.remove(path)
      self?.heard[path] = nil
    }
    bus.subscribe(
      .init(
        sender: Self.service, path: nil, interface: "org.freedesktop.DBus.Properties", member: "PropertiesChanged")
    ) { [weak self] path, values in
      guard values.count == 3 else { return }
      switch values[0].text {
      case Self.device: self?.hear(path, values[1])
      // An adapter that was switched on or off.
      case Self.adapter: self?.change(path, values[1]["Powered"])
      default: break
      }
    }
  }

  private func change(_ path: String, _ power: BusValue?) {
    if power == .boolean(false) { adapters.remove(path) }
    if power == .boolean(true), isWanted, !adapters.contains(path) { search(path) }
  }

  private func begin() {
    retry?.set(after: nil)
    guard isWanted, bus.isConnected else { return }
    bus.call(Self.root, "GetManagedObjects") { [weak self] answer in
      guard let self else { return }
      switch answer {
      case .success(let values):
        absence.end()
        backoff.reset()
        for entry in values.first?.dictionary ?? [] {
          if let path = entry.key.text { add(path, entry.value) }
        }
        if adapters.isEmpty, absence.isNew("adapter") { journal.info("BlueZ: no adapter; waiting for one") }
      case .failure(let fault):
        if absence.isNew(fault.name) { journal.info("BlueZ: no beacons: \(fault); trying again") }
        retry?.set(after: backoff.delay())
      }
    }
  }

  private func end() {
    for path in adapters {
      bus.call(Bus.Target(service: Self.service, path: path, interface: Self.adapter), "StopDiscovery") { _ in }
    }
    adapters = []
    heard = [:]
  }

  private func add(_ path: String, _ interfaces: BusValue) {
    guard isWanted else { return }
    if interfaces[Self.adapter] != nil, !adapters.contains(path) { search(path) }
    if let properties = interfaces[Self.device] { hear(path, properties) }
  }

  private func search(_ path: String) {
    adapters.insert(path)
    let adapter = Bus.Target(service: Self.service, path: path, interface: Self.adapter)
    let filter = BusArgument.options([("Transport", .text("le")), ("DuplicateData", .boolean(true))])
    bus.call(adapter, "SetDiscoveryFilter", [filter]) { [weak self] answer in
      if case .failure(let fault) = answer { self?.journal.debug("BlueZ: \(path): filter: \(fault)") }
    }
    bus.call(adapter, "StartDiscovery") { [weak self] answer in
      switch answer {
      case .success: self?.journal.info("BlueZ: searching for beacons by \(path)")
      case .failure(let fault):
        self?.adapters.remove(path)
        self?.journal.warning("BlueZ: \(path) does not search: \(fault)")
      }
    }
  }

  /// Takes what a device has, or what has changed of it.
  private func hear(_ path: String, _ properties: BusValue) {
    guard isWanted else { return }
    guard properties.dictionary != nil else {
      faults += 1
      if nonsense.isNew(path) { journal.warning("BlueZ: \(path): expected properties, found others") }
      return
    }
    let now = EventLoop.uptime()
    let last = heard[path]
    var beacon: Advertisement.Heard?
    for entry in properties["ManufacturerData"]?.dictionary ?? [] {
      guard case .unsigned(let manufacturer) = entry.key, let bytes = entry.value.bytes else { continue }
      beacon = Advertisement.beacon(manufacturer: manufacturer, bytes) ?? beacon
    }
    for entry in properties["ServiceData"]?.dictionary ?? [] {
      guard let service = entry.key.text, let bytes = entry.value.bytes else { continue }
      beacon = Advertisement.beacon(service: service, bytes) ?? beacon
    }
    let rssi = properties["RSSI"]?.integer.flatMap { (-127...20).contains($0) ? $0 : nil }
    // A signal has what has changed: the frame, how strongly it was heard, or both. Other changes are no advertisement.
    guard beacon != nil || rssi != nil, let beacon = beacon ?? last?.beacon else { return }
    let strength = rssi ?? last?.rssi
    if let last, last.beacon == beacon, last.at > now - Self.interval { return }
    if heard.count >= Self.limit, last == nil { heard.removeAll() }
    heard[path] = Memory(beacon: beacon, rssi: strength, at: now)
    sightings += 1
    take(Sighting(beacon.beacon, rssi: strength.map(Double.init), power: beacon.power))
  }
}
