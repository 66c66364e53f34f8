public import PlotCore
public import PlotFiles

extension RecordingLine {
  /// Reads one line. `zones` are those of the recording; it takes in those that the line brings. `names` are those of its first line. The
  /// error's line is 1.
  public static func parse(
    _ line: [UInt8], zones: ZoneFiles, _ names: NoisePolicy.Names = .present
  ) throws(DocumentError) -> RecordingLine {
    guard line.count <= sizeLimit else {
      throw DocumentError(
        line: 1, column: 0, pointer: "", expected: "at most \(sizeLimit) bytes", found: "\(line.count)")
    }
    let reader = try JSONReader(line, nullIsAbsent: true, textLimit: .max)
    return try RecordingReader(reader: reader, zones: zones, names: names).line(line)
  }

  public static let sizeLimit = 1 << 30
}

/// From a JSON tree to a line.
private struct RecordingReader {

  let reader: JSONReader
  let zones: ZoneFiles
  let names: NoisePolicy.Names

  private static let effects = [
    "event", "decision", "ask", "show", "open", "vote", "tell", "remove", "requestFix", "plan", "refused", "wakeup",
  ]

  func line(_ text: [UInt8]) throws(DocumentError) -> RecordingLine {
    let root = try reader.object(reader.root, "a line of a recording, an object")
    let first = reader.keys(root).first ?? ""
    if first == "recording" { return .start(try start(root)) }
    if first == "host" {
      return .host(
        try reader.required(root, "host", "an object") { (node) throws(DocumentError) in try host(node) })
    }
    if first == "sync" { return .sync(json: String(decoding: text, as: UTF8.self)) }
    if first == "input" { return .input(try input(root)) }
    guard Self.effects.contains(first) else {
      throw reader.fail(
        expected: "\"recording\", \"host\", \"input\", \"sync\" or an effect as the first key", found: "\"\(first)\"")
    }
    return .effect(json: String(decoding: text, as: UTF8.self))
  }

  // MARK: The first line

  private func start(_ root: Node) throws(DocumentError) -> RecordingStart {
    let expected = "an integer from 1 to \(RecordingLine.version): the version of the format"
    let version = try reader.required(root, "recording", expected) { (node) throws(DocumentError) in
      guard let version = try? reader.integer(node, 1...RecordingLine.version) else {
        throw reader.mismatch(node, expected)
      }
      return version
    }
    let names: NoisePolicy.Names = version == 1 ? .first : .present
    let taken = try takenZones(root)
    let configuration = try reader.required(root, "configuration", "a configuration") {
      (node) throws(DocumentError) in
      try embedded { () throws(DocumentError) in try Configuration(recorded: reader.canonical(node), names) }
    }
    let image = try reader.member(root, "store") { (node) throws(DocumentError) in
      guard let bytes = Base64.bytes(try reader.string(node)) else {
        throw reader.fail(expected: "bytes in base64", found: "something else")
      }
      return bytes
    }
    var start = RecordingStart(
      time: try time(root), library: try string(root, "library"),
      hasEffects: try boolean(root, "effects"), configuration: configuration,
      host: try reader.required(root, "host", "an object") { (node) throws(DocumentError) in
        try host(node)
      }, image: image)
    start.zones = taken
    start.names = names
    return start
  }

  private func host(_ node: Node) throws(DocumentError) -> RecordingHost {
    let object = try reader.object(node)
    var host = RecordingHost()
    host.hasFilter = try boolean(object, "filter")
    host.hasGeotriggerHandler = try boolean(object, "geotriggerHandler")
    host.strategies = try identifiers(object, "strategies")
    return host
  }

  /// In the order in which they stand.
  private func takenZones(_ root: Node) throws(DocumentError) -> [RecordedZone] {
    try reader.member(root, "zones") { (node) throws(DocumentError) in
      let object = try reader.object(node)
      var taken: [RecordedZone] = []
      for name in reader.keys(object) {
        let zone = RecordedZone(name: name, bytes: Base64.bytes(try string(object, name)) ?? [])
        guard zones.take(zone) else {
          throw try reader.within(.key(name)) { () throws(DocumentError) -> DocumentError in
            reader.fail(expected: "a TZif file in base64", found: "something else")
          }
        }
        taken.append(zone)
      }
      return taken
    } ?? []
  }

  // MARK: Inputs

  private func input(_ root: Node) throws(DocumentError) -> RecordedInput {
    let taken = try takenZones(root)
    let files = try reader.member(root, "files") { (node) throws(DocumentError) in
      try reader.array(node, "an array of files") { (node, _) throws(DocumentError) in
        let object = try reader.object(node)
        let size = try reader.member(object, "size") { (node) throws(DocumentError) in
          try reader.integer(node, 0 ... .max)
        }
        return RecordedFile(path: try string(object, "path"), facts: size.map { FileFacts(size: $0) })
      }
    }
    var input = RecordedInput(try value(root, try string(root, "input")))
    input.zones = taken
    input.files = files ?? []
    return input
  }

  private func value(_ root: Node, _ name: String) throws(DocumentError) -> RecordedInput.Value {
    switch name {
    case "vote":
      let kinds: [Ballot.Kind] = [.create, .delete]
      let about = try string(root, "about")
      guard let kind = kinds.first(where: { $0.name == about }) else {
        throw try reader.within(.key("about")) { () throws(DocumentError) -> DocumentError in
          reader.fail(expected: "\"create\" or \"delete\"", found: "\"\(about)\"")
        }
      }
      return .vote(
        kind, matchIdentifier: try string(root, "matchIdentifier"),
        vetoes: try identifiers(root, "vetoes"))
    case "shown":
      return .machine(
        .confirm(
          try string(root, "matchIdentifier"), shown: try boolean(root, "shown"),
          states: try states(root)))
    case "removed":
      return .machine(
        .confirmRemoved(
          try string(root, "matchIdentifier"), removed: try boolean(root, "removed"),
          states: try states(root)))
    case "states": return .machine(.states(try states(root), display: try matchIdentifier(root)))
    default: return .machine(try timed(root, name, at: try time(root)))
    }
  }

  private func timed(_ root: Node, _ name: String, at time: Milliseconds) throws(DocumentError) -> Input {
    switch name {
    case "advance": return .advance(time)
    case "fix": return .fix(try fix(root, at: time))
    case "fixes": return .fixes(try fixes(root), at: time)
    case "sighting": return .sighting(try sighting(root, at: time))
    case "hint":
      return .hint(
        Hint(
          time: time, region: try identifier(root, "region"),
          kind: try reader.required(root, "kind", "a kind of hint") { (node) throws(DocumentError) in
            try reader.choice(node, Hint.Kind.self)
          }, position: try position(root)))
    case "move": return .move(try identifier(root, "region"), to: try place(root), at: time)
    case "plan":
      var request = Machine.PlanRequest(
        time: time, here: try position(root), budget: try integer(root, "budget"))
      request.isReset = try flag(root, "reset")
      request.isFenceLeft = try flag(root, "fenceLeft")
      return .plan(request)
    case "clock": return .clock(try clock(root, at: time))
    case "start-clock": return .startClock(try clock(root, at: time))
    case "recover": return .recover(at: time)
    case "begin": return .begin(enabled: try boolean(root, "enabled"), at: time)
    case "enabled": return .enabled(try boolean(root, "enabled"), at: time)
    case "cooldown-period": return .cooldownPeriod(try integer(root, "milliseconds"), at: time)
    case "property": return .property(try identifier(root, "key"), try property(root), at: time)
    case "feed":
      let digest = try string(root, "digest")
      let feed = try reader.required(root, "feed", "a feed") { (node) throws(DocumentError) in
        try embedded { () throws(DocumentError) in
          try Feed(keptJSON: reader.canonical(node), digest: digest, zones: zones, names)
        }
      }
      return .feed(feed, at: time)
    case "time-zone":
      let name = try string(root, "zone")
      guard let zone = zones.zone(name) else {
        throw try reader.within(.key("zone")) { () throws(DocumentError) -> DocumentError in
          reader.fail(expected: "a time zone of the recording, or of this system", found: "\"\(name)\"")
        }
      }
      return .timeZone(zone, at: time)
    case "message": return .message(try message(root), at: time)
    case "list":
      let entries = try entries(root, "entries")
      return .list(
        try identifier(root, "name"), version: try integer(root, "version"), entries: entries, at: time)
    case "list-edit":
      return .listEdit(
        try identifier(root, "name"), add: try entries(root, "add") ?? [],
        remove: try entries(root, "remove") ?? [], at: time)
    case "filter-answer": return .filterAnswer(try token(root), try kept(root), at: time)
    case "geotriggers-handled": return .handled(try token(root), try kept(root), at: time)
    case "open": return .open(try string(root, "matchIdentifier"), at: time)
    case "action":
      return .action(try string(root, "action"), of: try string(root, "matchIdentifier"), at: time)
    case "dismiss": return .dismiss(try string(root, "matchIdentifier"), at: time)
    case "remove-notification":
      return .removeDisplayed(try matchIdentifier(root), at: time)
    case "update-notification": return .updateDisplayed(try keptItem(root), at: time)
    case "clear-sent": return .clearSent(isGeotrigger: try boolean(root, "geotriggers"), at: time)
    case "advertising":
      let identifier = try reader.member(root, "identifier") { (node) throws(DocumentError) in
        try reader.string(node)
      }
      return .advertising(identifier, limitsTracking: try boolean(root, "limitTracking"), at: time)
    case "start-trip":
      let plan = try reader.required(root, "trip", "a trip") { (node) throws(DocumentError) in
        try TripReader(reader).plan(node)
      }
      return .startTrip(plan, at: time)
    case "end-trip":
      return .endTrip(try identifier(root, "trip"), hasArrived: try boolean(root, "arrived"), at: time)
    // docs/calls.json
    case "foreground": return .foreground(try boolean(root, "foreground"), at: time)
    case "network": return .network(try boolean(root, "available"), at: time)
    case "clear-all-data": return .clearAllData(at: time)
    // end
    default:
      throw try reader.within(.key("input")) { () throws(DocumentError) -> DocumentError in
        reader.fail(expected: "an input of docs/recording.md", found: "\"\(name)\"")
      }
    }
  }

  private func sighting(_ root: Node, at time: Milliseconds) throws(DocumentError) -> Sighting {
    let sender: Sighting.Sender
    if reader.keys(root).contains("namespaceId") {
      sender = .eddystone(
        namespaceId: try string(root, "namespaceId"), instanceId: try string(root, "instanceId"))
    } else {
      sender = .iBeacon(
        proximityUUID: try string(root, "proximityUUID"), majorId: try short(root, "majorId"),
        minorId: try short(root, "minorId"))
    }
    let proximity = try reader.member(root, "proximity") { (node) throws(DocumentError) in
      try reader.choice(node, BeaconRange.self)
    }
    return Sighting(
      time: time, sender: sender, proximity: proximity, rssi: try number(root, "rssi") ?? 0,
      power: try number(root, "power") ?? 0)
  }

  private func clock(_ root: Node, at time: Milliseconds) throws(DocumentError) -> ClockReading {
    ClockReading(
      wall: time, monotonic: try integer(root, "monotonic"), boot: try string(root, "boot"))
  }

  private func property(_ root: Node) throws(DocumentError) -> PropertyValue? {
    let type = try reader.member(root, "type") { (node) throws(DocumentError) in try reader.string(node) }
    guard let type else { return nil }
    return try reader.required(root, "value", "the property's value") {
      (node) throws(DocumentError) -> PropertyValue in
      switch type {
      case "string": return .string(try reader.string(node))
      case "boolean": return .boolean(try reader.boolean(node))
      case "integer": return .integer(try reader.integer(node, .min ... .max))
      case "double": return .double(try reader.number(node, "a number"))
      case "date":
        guard let date = Timestamp.parse(try reader.string(node)) else {
          throw reader.mismatch(node, Self.timeForm)
        }
        return .date(date)
      default: throw reader.fail(expected: "a value of a known type", found: "one of the type \"\(type)\"")
      }
    }
  }

  private func message(_ root: Node) throws(DocumentError) -> Message {
    func optional(_ key: String) throws(DocumentError) -> String? {
      try reader.member(root, key) { (node) throws(DocumentError) in try reader.string(node) }
    }
    var message = Message(
      id: try string(root, "id"),
      content: try Content(
        reader, message: try string(root, "message"), data: try string(root, "data")))
    message.operation = try reader.required(root, "op", "an operation") { (node) throws(DocumentError) in
      try reader.choice(node, Message.Operation.self)
    }
    message.sender = try optional("sender")
    message.thread = try optional("thread")
    message.correlationKey = try optional("correlationKey")
    message.revision = try reader.member(root, "revision") { (node) throws(DocumentError) in
      try reader.integer(node, .min ... .max)
    }
    message.priority = try integer(root, "priority")
    return message
  }

  private func kept(_ root: Node) throws(DocumentError) -> [Kept] {
    try reader.required(root, "kept", "an array of items") { (node) throws(DocumentError) in
      try reader.array(node, "an array of items") { (node, _) throws(DocumentError) in
        try keptItem(reader.object(node))
      }
    }
  }

  private func keptItem(_ object: Node) throws(DocumentError) -> Kept {
    let content = try Content(
      JSONReader(Array(reader.canonical(object).utf8), textLimit: .max),
      message: try string(object, "message"), data: try string(object, "data"))
    return Kept(matchIdentifier: try string(object, "matchIdentifier"), content: content)
  }

  private func entries(_ root: Node, _ key: StaticString) throws(DocumentError) -> Set<Identifier>? {
    try reader.member(root, key) { (node) throws(DocumentError) in
      Set(
        try reader.array(node, "an array of strings") { (node, _) throws(DocumentError) in
          Identifier(try reader.string(node))
        })
    }
  }

  private func fixes(_ root: Node) throws(DocumentError) -> [Fix] {
    try reader.required(root, "fixes", "an array of fixes") { (node) throws(DocumentError) in
      try reader.array(node, "an array of fixes") { (node, _) throws(DocumentError) in
        let object = try reader.object(node)
        return try fix(object, at: time(object))
      }
    }
  }

  private func fix(_ object: Node, at time: Milliseconds) throws(DocumentError) -> Fix {
    Fix(
      time: time, coordinate: try place(object), accuracy: try number(object, "accuracy") ?? 0,
      speed: try number(object, "speed") ?? -1, course: try number(object, "course") ?? -1)
  }

  // MARK: Values

  private static let timeForm = "a time as ISO 8601"

  /// Reads a document that is a value of the line: a fault says which one, and is placed where it begins.
  private func embedded<T>(_ body: () throws(DocumentError) -> T) throws(DocumentError) -> T {
    do throws(DocumentError) {
      return try body()
    } catch {
      var fault = reader.fail(expected: error.expected, found: error.found)
      fault.pointer += error.pointer
      throw fault
    }
  }

  /// Nil where there is none.
  private func matchIdentifier(_ object: Node) throws(DocumentError) -> String? {
    try reader.member(object, "matchIdentifier") { (node) throws(DocumentError) in try reader.string(node) }
  }

  private func string(_ object: Node, _ key: String) throws(DocumentError) -> String {
    try reader.required(object, key, "a string") { (node) throws(DocumentError) in try reader.string(node)
    }
  }

  private func identifier(_ object: Node, _ key: String) throws(DocumentError) -> Identifier {
    Identifier(try string(object, key))
  }

  private func identifiers(_ object: Node, _ key: String) throws(DocumentError) -> [Identifier] {
    try reader.required(object, key, "an array of strings") { (node) throws(DocumentError) in
      try reader.array(node, "an array of strings") { (node, _) throws(DocumentError) in
        Identifier(try reader.string(node))
      }
    }
  }

  private func states(_ object: Node) throws(DocumentError) -> [Identifier: String] {
    try reader.member(object, "states") { (node) throws(DocumentError) in
      let states = try reader.object(node)
      var result: [Identifier: String] = [:]
      for key in reader.keys(states) { result[Identifier(key)] = try string(states, key) }
      return result
    } ?? [:]
  }

  private func boolean(_ object: Node, _ key: String) throws(DocumentError) -> Bool {
    try reader.required(object, key, "true or false") { (node) throws(DocumentError) in
      try reader.boolean(node)
    }
  }

  private func flag(_ object: Node, _ key: String) throws(DocumentError) -> Bool {
    try reader.member(object, key) { (node) throws(DocumentError) in try reader.boolean(node) } ?? false
  }

  private func integer(_ object: Node, _ key: String) throws(DocumentError) -> Int64 {
    try reader.required(object, key, "an integer") { (node) throws(DocumentError) in
      try reader.integer(node, .min ... .max)
    }
  }

  private func short(_ object: Node, _ key: String) throws(DocumentError) -> UInt16 {
    try reader.required(object, key, "an integer from 0 to 65535") { (node) throws(DocumentError) in
      UInt16(try reader.integer(node, 0...65535))
    }
  }

  private func token(_ object: Node) throws(DocumentError) -> UInt64 {
    try reader.required(object, "token", "a token") { (node) throws(DocumentError) in
      UInt64(try reader.integer(node, 0 ... .max))
    }
  }

  private func number(_ object: Node, _ key: String) throws(DocumentError) -> Double? {
    try reader.member(object, key) { (node) throws(DocumentError) in
      try reader.number(node, "a number")
    }
  }

  private func time(_ object: Node) throws(DocumentError) -> Milliseconds {
    try reader.required(object, "time", Self.timeForm) { (node) throws(DocumentError) in
      guard let time = Timestamp.parse(try reader.string(node, Self.timeForm)) else {
        throw reader.mismatch(node, Self.timeForm)
      }
      return time
    }
  }

  private func place(_ object: Node) throws(DocumentError) -> Coordinate {
    func degrees(_ key: String) throws(DocumentError) -> Double {
      try reader.required(object, key, "degrees") { (node) throws(DocumentError) in
        try reader.number(node, "degrees")
      }
    }
    return Coordinate(latitude: try degrees("latitude"), longitude: try degrees("longitude"))
  }

  private func position(_ object: Node) throws(DocumentError) -> Position? {
    guard let accuracy = try number(object, "accuracy") else { return nil }
    return Position(try place(object), accuracy: accuracy)
  }
}
