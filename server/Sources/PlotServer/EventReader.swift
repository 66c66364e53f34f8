internal import PlotCore
internal import PlotDocuments
internal import PlotServerStorage

/// A request with events, as it was read (docs/sync-protocol.md, Events).
struct EventRequest {
  struct Rejected: Equatable {
    var index: Int
    var reason: String
  }

  static let eventLimit = 500
  static let sizeLimit = 1 << 20
  /// The JSON of one event.
  static let eventSizeLimit = 64 << 10

  var batch = ""
  var events: [EventRecord] = []
  /// By their places in the request.
  var rejected: [Rejected] = []
  /// The highest sequence of all; a client needs none up to it any more.
  var through: Int64 = 0

  init(_ body: [UInt8]) throws {
    let document: JSONValue
    do throws(DocumentError) {
      document = try JSONValue(parsing: body)
    } catch {
      throw RequestFault(document: error)
    }
    guard case .object = document else {
      throw RequestFault.invalid("", "an object: {\"batch\": \"…\", \"events\": […]}", document)
    }
    guard case .string(let batch)? = document["batch"], (1...100).contains(batch.utf8.count) else {
      throw RequestFault.invalid("/batch", "a string of 1 to 100 bytes, the same at each try", document["batch"])
    }
    guard case .array(let elements)? = document["events"] else {
      throw RequestFault.invalid("/events", "an array of event records", document["events"])
    }
    guard elements.count <= Self.eventLimit else {
      throw RequestFault(
        .contentTooLarge, "too-many",
        "expected at most \(Self.eventLimit) events, found \(elements.count): send fewer at once")
    }
    self.batch = batch
    for (index, element) in elements.enumerated() {
      switch Self.event(element) {
      case .success(let event):
        events.append(event)
        through = max(through, event.sequence)
      case .failure(let fault):
        rejected.append(Rejected(index: index, reason: fault.reason))
        if case .integer(let sequence)? = element["sequence"], sequence > 0 { through = max(through, sequence) }
      }
    }
    // In their order, so that visits are counted as they happened.
    events.sort { $0.sequence < $1.sequence }
  }

  private struct EventFault: Error {
    var reason: String

    init(_ key: String, _ expected: String, _ found: JSONValue?) {
      reason = "\(key): expected \(expected), found \(found.map { RequestFault.short($0.text) } ?? "no such key")"
    }
  }

  /// Reads the keys that every event has. The rest is kept as it is, for later versions may add to it.
  private static func event(_ value: JSONValue) -> Result<EventRecord, EventFault> {
    func text(_ key: String, most: Int) throws(EventFault) -> String {
      switch value[key] {
      case nil: return ""
      case .string(let text) where text.utf8.count <= most: return text
      case let other: throw EventFault(key, "a string of at most \(most) bytes", other)
      }
    }
    do throws(EventFault) {
      guard case .object = value else { throw EventFault("the event", "an object", value) }
      guard case .integer(let sequence)? = value["sequence"], sequence >= 1 else {
        throw EventFault("sequence", "an integer from 1", value["sequence"])
      }
      guard case .string(let clock)? = value["time"], let time = Timestamp.parse(clock) else {
        throw EventFault("time", "an ISO 8601 date and time", value["time"])
      }
      guard case .string(let kind)? = value["event"], (1...64).contains(kind.utf8.count),
        kind.utf8.allSatisfy({ (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D }),
        kind != "dwell"
      else { throw EventFault("event", "the word of an event", value["event"]) }
      let since = try text("since", most: 40)
      let json = value.text
      guard json.utf8.count <= eventSizeLimit else {
        throw EventFault("the event", "at most \(eventSizeLimit) bytes", .string("\(json.utf8.count) bytes"))
      }
      var event = EventRecord(
        sequence: sequence, time: time, kind: kind, campaign: try text("campaign", most: 255),
        region: try text("region", most: 255), visit: try text("visit", most: 100), since: time, json: json)
      if !since.isEmpty {
        guard let time = Timestamp.parse(since) else {
          throw EventFault("since", "an ISO 8601 date and time", value["since"])
        }
        event.since = time
      }
      return .success(event)
    } catch {
      return .failure(error)
    }
  }
}
