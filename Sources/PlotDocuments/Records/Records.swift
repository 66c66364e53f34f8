public import PlotCore

extension HostItem {
  /// The item as one JSON object, keys in the order of docs/items.md.
  public var json: String { Self.json(loaded, occurrence) }

  fileprivate static func json(_ loaded: LoadedItem, _ occurrence: Item?) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(600)
    append(loaded, occurrence, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  fileprivate static func append(_ loaded: LoadedItem, _ occurrence: Item?, to bytes: inout [UInt8]) {
    JSONText.append(to: &bytes) { json in
      json.object { json in
        forEachMember(loaded, occurrence) { key, value in
          json.key(key)
          value.write(to: &json)
        }
      }
    }
  }

  /// Keys and values in the order of docs/items.md.
  public var members: [(key: String, value: Item.Value)] {
    var members: [(key: String, value: Item.Value)] = []
    Self.forEachMember(loaded, occurrence) { members.append(($0, $1)) }
    return members
  }

  private static func forEachMember(
    _ loaded: LoadedItem, _ occurrence: Item?, _ body: (String, Item.Value) -> Void
  ) {
    let isMessage = occurrence?.isMessage ?? false
    body("identifier", .string(occurrence?.identifier ?? loaded.identifier))
    if let occurrence { body("matchIdentifier", .string(occurrence.matchIdentifier)) }
    if !isMessage {
      body("campaignId", .string(loaded.campaign.text))
      body("regionId", .string(loaded.region.text))
    }
    if let name = loaded.regionName { body("regionName", .string(name)) }
    body("message", .string(loaded.message))
    if loaded.isGeotrigger { body("name", .string(loaded.message)) }
    body("data", .string(loaded.data))
    for (key, value) in loaded.content.values { body(key, value) }
    if let coordinate = loaded.coordinate {
      body("geofenceLatitude", .double(coordinate.latitude))
      body("geofenceLongitude", .double(coordinate.longitude))
    }
    if !isMessage {
      body("trigger", .string(loaded.trigger.name))
      body("dwellingMinutes", .integer(loaded.trigger.dwellingMinutes))
      if let seconds = loaded.trigger.arrivalSeconds { body("arrivalSeconds", .integer(seconds)) }
      if let moment = loaded.trigger.tripMoment { body("tripEvent", .string(moment.rawValue)) }
      if let minute = loaded.trigger.insideMinute { body("insideAt", .string(Feed.text(ofMinute: minute))) }
    }
    if case .notification(let handler) = loaded.kind {
      body("notificationHandlerType", .string(handler.rawValue))
    }
    if !isMessage {
      body("matchRange", .integer(loaded.matchRange))
      body("regionType", .string(loaded.isBeacon ? "beacon" : "geofence"))
      if let travel = loaded.travel {
        body("travelMinutes", .integer(travel.minutes))
        if let mode = travel.mode { body("travelMode", .string(mode.rawValue)) }
      }
    }
    if loaded.priority != 0 { body("priority", .integer(loaded.priority)) }
    if loaded.stay.endsAtExit { body("removeOnExit", .integer(1)) }
    if loaded.stay.endsWithCampaign { body("removeAtEnd", .integer(1)) }
    if let time = loaded.stay.expireAfter { body("expireAfter", .integer(time / 1000)) }
    if let time = loaded.stay.expireAt { body("expireAt", .integer(time)) }
    guard let occurrence else { return }
    if let updates = occurrence.updates { body("updates", .string(updates)) }
    if let correlationKey = occurrence.correlationKey { body("correlationKey", .string(correlationKey)) }
    if !occurrence.coalesced.isEmpty {
      let others = occurrence.coalesced.map { "\($0.campaign.text);\($0.region.text)" }
      body("coalesced", .string(others.joined(separator: "\n")))
    }
    if let incoming = occurrence.incoming {
      if let sender = incoming.sender { body("sender", .string(sender)) }
      if let thread = incoming.thread { body("thread", .string(thread)) }
      if let revision = incoming.revision { body("revision", .integer(revision)) }
      if incoming.isSilent { body("silent", .integer(1)) }
      if incoming.isSuppressed { body("suppressed", .integer(1)) }
    }
    if let sent = occurrence.sent {
      body("dateSent", .integer(sent.date))
      body(loaded.isGeotrigger ? "dateHandled" : "dateOpened", .integer(sent.answered ?? -1))
      body(loaded.isGeotrigger ? "isHandled" : "isOpened", .integer(sent.answered == nil ? 0 : 1))
    }
    if occurrence.opening.isAppInForeground { body("isAppInForeground", .integer(1)) }
    if occurrence.opening.confirms { body("confirm", .integer(1)) }
  }

  /// Reads an item back from its JSON; nil when it is not one. With a match identifier it is an occurrence, in `visit`.
  public init?(json: String, visit: String?) {
    guard let reader = try? JSONReader(Array(json.utf8), textLimit: .max) else { return nil }
    func string(_ key: String) -> String? {
      (try? reader.member(reader.root, key) { (node) throws(DocumentError) in try reader.string(node) })
        ?? nil
    }
    func integer(_ key: String) -> Int64? {
      (try? reader.member(reader.root, key) { (node) throws(DocumentError) in
        try reader.integer(node, .min ... .max)
      }) ?? nil
    }
    func number(_ key: String) -> Double? {
      (try? reader.member(reader.root, key) { (node) throws(DocumentError) in
        try reader.number(node, "a number")
      }) ?? nil
    }
    guard reader.root.isObject else { return nil }
    let opening = Opening(
      isAppInForeground: integer("isAppInForeground") == 1, confirms: integer("confirm") == 1)
    if string("campaignId") == nil, string("regionId") == nil, string("trigger") == nil {
      guard let id = string("identifier"), let message = string("message"), let data = string("data"),
        let content = try? Content(reader, message: message, data: data)
      else { return nil }
      var incoming = Item.Incoming(id: id)
      incoming.sender = string("sender")
      incoming.thread = string("thread")
      incoming.revision = integer("revision")
      incoming.isSilent = integer("silent") == 1
      incoming.isSuppressed = integer("suppressed") == 1
      guard let match = string("matchIdentifier") else { return nil }
      var item = Item(incoming, content, matchIdentifier: match)
      item.sent = integer("dateSent").map { date in
        Item.Sent(date: date, answered: integer("dateOpened").flatMap { $0 < 0 ? nil : $0 })
      }
      item.values.loaded.priority = integer("priority") ?? 0
      item.values.updates = string("updates")
      item.values.correlationKey = string("correlationKey")
      item.values.opening = opening
      self = .occurrence(item)
      return
    }
    guard let campaign = string("campaignId"),
      let region = string("regionId"), let message = string("message"), let data = string("data"),
      let triggerName = string("trigger"), let minutes = integer("dwellingMinutes"), let range = integer("matchRange"),
      let content = try? Content(reader, message: message, data: data)
    else { return nil }
    let handler = string("notificationHandlerType").flatMap(HandlerType.init)
    let trigger: Trigger =
      switch triggerName {
      case "exit": .exit
      case "dwelling": .dwelling(minutes: minutes)
      case "approaching": .approaching(seconds: integer("arrivalSeconds") ?? 0)
      case "absent": .absent
      case "trip": .trip(string("tripEvent").flatMap(TripMoment.init(rawValue:)) ?? .started)
      case "inside": .inside(minuteOfDay: string("insideAt").flatMap(FeedReader.minute) ?? 0)
      default: .enter
      }
    var coordinate: Coordinate?
    if let latitude = number("geofenceLatitude"), let longitude = number("geofenceLongitude") {
      coordinate = Coordinate(latitude: latitude, longitude: longitude)
    }
    var loaded = LoadedItem(
      kind: handler.map(Campaign.Kind.notification) ?? .geotrigger, campaign: Identifier(campaign),
      region: Identifier(region), regionName: string("regionName"), content: content, coordinate: coordinate,
      trigger: trigger, matchRange: range)
    loaded.travel = integer("travelMinutes").map {
      TravelTime(minutes: $0, mode: string("travelMode").flatMap(TravelTime.Mode.init))
    }
    loaded.priority = integer("priority") ?? 0
    loaded.stay.endsAtExit = integer("removeOnExit") == 1
    loaded.stay.endsWithCampaign = integer("removeAtEnd") == 1
    loaded.stay.expireAfter = integer("expireAfter").flatMap { (1...31_536_000).contains($0) ? $0 * 1000 : nil }
    loaded.stay.expireAt = integer("expireAt")
    guard let match = string("matchIdentifier") else {
      self = .loaded(loaded)
      return
    }
    let answered = integer(handler == nil ? "dateHandled" : "dateOpened").flatMap { $0 < 0 ? nil : $0 }
    var item = Item(
      loaded, matchIdentifier: match, visit: visit,
      sent: integer("dateSent").map { Item.Sent(date: $0, answered: answered) })
    item.values.correlationKey = string("correlationKey")
    item.values.updates = string("updates")
    item.values.opening = opening
    item.values.coalesced = (string("coalesced") ?? "").split(separator: "\n").compactMap { text in
      let parts = text.split(separator: ";")
      return parts.count == 2
        ? ItemKey(campaign: Identifier(String(parts[0])), region: Identifier(String(parts[1]))) : nil
    }
    self = .occurrence(item)
  }
}

extension Item {
  /// The item as one JSON object, keys in the order of docs/items.md.
  public var json: String { HostItem.json(values.loaded, self) }

  /// The same, behind other bytes.
  public func appendJSON(to bytes: inout [UInt8]) { HostItem.append(values.loaded, self, to: &bytes) }

  /// Reads an occurrence back from its JSON, as a store keeps it; nil when it is not one.
  public init?(json: String, visit: String?) {
    guard case .occurrence(let item) = HostItem(json: json, visit: visit) else { return nil }
    self = item
  }

  /// A value as the host sees it.
  public enum Value: Equatable, Sendable {
    case string(String)
    case integer(Int64)
    case double(Double)
    /// An array or an object, as JSON.
    case json(String)

    public var json: String {
      var json = JSONText()
      write(to: &json)
      return json.text
    }

    func write(to json: inout JSONText) {
      switch self {
      case .string(let text): json.value(text)
      case .integer(let number): json.value(number)
      case .double(let number): json.value(number)
      case .json(let text): json.raw(text)
      }
    }
  }
}

extension Content {
  /// Those beside message and data that are set, keys and values in the order of docs/items.md.
  var values: [(key: String, value: Item.Value)] {
    var values: [(String, Item.Value)] = []
    if let title = title { values.append(("title", .string(title))) }
    if let subtitle = subtitle { values.append(("subtitle", .string(subtitle))) }
    if let body = body { values.append(("body", .string(body))) }
    if let sound = sound { values.append(("sound", .string(sound))) }
    if let badge = badge { values.append(("badge", .integer(badge))) }
    if let category = category { values.append(("category", .string(category))) }
    if !attachments.isEmpty { values.append(("attachments", .json(Content.json(attachments)))) }
    if !actions.isEmpty { values.append(("actions", .json(Content.json(actions)))) }
    if !userInfo.isEmpty { values.append(("userInfo", .json(Content.json(userInfo)))) }
    return values
  }
}

extension Event {
  /// The record as one JSON object, keys in the order of docs/events.md.
  public var json: String {
    var json = JSONText()
    json.object { json in
      json.member("time", Timestamp.text(time))
      json.member("event", kind.rawValue)
      json.member("sequence", sequence)
      if item?.isMessage != true, kind != .storeSetAside {
        json.member("region", region.text)
        json.member("visit", visit)
      }
      json.member("ordinal", ordinal)
      json.member("latitude", coordinate?.latitude)
      json.member("longitude", coordinate?.longitude)
      json.member("since", since.map(Timestamp.text))
      if isLate { json.member("late", true) }
      json.member("source", source?.rawValue)
      json.member("arrivalSeconds", arrivalSeconds)
      json.member("arrival", arrival.map(Timestamp.text))
      json.member("dwellingMinutes", dwellingMinutes)
      json.member(
        item?.isMessage == true ? "messageId" : "campaign",
        item?.incoming?.id ?? item?.campaign.text ?? absence?.campaign.text)
      json.member("from", absence.map { Timestamp.text($0.from) })
      json.member("to", absence.map { Timestamp.text($0.to) })
      json.member("unknownFrom", absence?.unknown.map { Timestamp.text($0.lowerBound) })
      json.member("unknownTo", absence?.unknown.map { Timestamp.text($0.upperBound) })
      if let trip {
        json.member("trip", trip.plan.id.text)
        json.member("metres", trip.metres.map(TripDocument.tenth))
        json.member("deadline", trip.plan.deadline.map(Timestamp.text))
        json.member("delaySeconds", trip.delay.map { $0 / 1000 })
        json.member("otherRegion", trip.other?.text)
        trip.plan.writeMetadata(to: &json)
      }
      json.member("matchIdentifier", item?.matchIdentifier)
      json.member("message", item?.message)
      json.member("data", item?.data)
      json.member("action", action)
      if recovered { json.member("recovered", true) }
      json.member("reason", reason)
      json.member("holdout", holdout?.text)
      if let lost {
        json.key("lost")
        json.array { json in for part in lost { json.value(part.rawValue) } }
      }
      json.member("advertisingIdentifier", advertising?.identifier)
      json.member("limitAdTracking", advertising?.limitsTracking)
    }
    return json.text
  }
}

extension Decision {
  /// The record as one JSON object, keys in the order of docs/decisions.md.
  public var json: String {
    var json = JSONText()
    json.object { json in
      json.member("time", Timestamp.text(time))
      json.member("campaign", campaign?.text)
      json.member("region", region?.text)
      json.member("visit", visit)
      json.member("messageId", message)
      json.member("step", step.rawValue)
      json.member("verdict", verdict.rawValue)
      json.member("reason", reason.rawValue)
      json.member("detail", detail)
      inputs.write(to: &json)
      json.member("nextPossible", nextPossible.map(Timestamp.text))
    }
    return json.text
  }
}

/// The lists that `plot_engine_get_…` gives as JSON.
public enum ListDocument {
  /// The events that wait for a consumer (docs/events.md, Consumers), each as its JSON.
  public static func events(acknowledged: Int64, lost: Int64, waiting: Int, _ events: [String]) -> String {
    var json = JSONText()
    json.object { json in
      json.member("acknowledged", acknowledged)
      json.member("lost", lost)
      json.member("waiting", Int64(waiting))
      json.key("events")
      json.array { json in for event in events { json.raw(event) } }
    }
    return json.text
  }

  public static func items(_ items: [HostItem]) -> String {
    "[" + items.map(\.json).joined(separator: ",") + "]"
  }

  /// Where an engine is (docs/explain.md, Summary).
  public static func summary(_ state: State, _ feed: Feed, nextWakeup: Milliseconds?) -> String {
    var json = JSONText()
    json.object { json in
      json.member("time", Timestamp.text(state.newest))
      json.member("enabled", state.host.isEnabled)
      json.member("foreground", state.host.isForeground)
      json.member("timeZone", state.host.zone.name)
      json.member("regions", Int64(feed.regions.count))
      json.member("campaigns", Int64(feed.campaigns.count))
      json.key("visits")
      json.array { json in for visit in state.presence.visits { json.value(visit.region.text) } }
      json.member("displayed", Int64(state.screen.displayed.count))
      json.member("waiting", Int64(state.delivery.waiting.count))
      json.member("questions", Int64(state.delivery.batches.count))
      json.member("nextWakeup", nextWakeup.map(Timestamp.text))
    }
    return json.text
  }

  public static func visits(_ visits: [Visit]) -> String {
    var json = JSONText()
    json.array { json in
      for visit in visits {
        json.object { json in
          json.member("region", visit.region.text)
          json.member("visit", visit.id)
          json.member("ordinal", visit.ordinal)
          json.member("entered", Timestamp.text(visit.entered))
        }
      }
    }
    return json.text
  }

  /// The facts that a strategy may use in a vote (docs/strategies.md).
  public static func circumstances(_ state: State, _ departure: Departure? = nil) -> String {
    var json = JSONText()
    json.object { json in
      json.member("cause", departure?.cause.rawValue)
      json.member("time", Timestamp.text(state.newest))
      json.member("foreground", state.host.isForeground)
      json.member("backgroundSince", state.host.backgroundSince.map(Timestamp.text))
      json.member("network", state.host.hasNetwork)
      json.member("feedStatus", state.host.hasNetwork ? "backendSuccess" : "networkError")
      json.member("informationStatus", "complete")
      json.member("visits", Int64(state.presence.visits.count))
      json.member("displayed", Int64(state.screen.displayed.count))
      json.member("lastShown", state.history.lastNotification.map(Timestamp.text))
      json.member("lastRemoved", state.screen.lastRemoved.map(Timestamp.text))
    }
    return json.text
  }

  /// Why a notification leaves the screen.
  public static func departure(_ departure: Departure) -> String {
    var json = JSONText()
    json.object { json in json.member("cause", departure.cause.rawValue) }
    return json.text
  }

  public static func monitoring(_ monitored: Monitored) -> String {
    var json = JSONText()
    json.object { json in
      json.member("region", monitored.region.text)
      json.member("visit", monitored.visit)
      json.member("regionType", monitored.isBeacon ? "beacon" : "geofence")
      json.member("latitude", monitored.place?.latitude)
      json.member("longitude", monitored.place?.longitude)
      json.member("matchRange", monitored.range)
      json.key("campaigns")
      json.array { json in for campaign in monitored.campaigns { json.value(campaign.text) } }
    }
    return json.text
  }

  public static func properties(_ properties: [Identifier: PropertyValue]) -> String {
    var json = JSONText()
    json.object { json in
      for (key, value) in properties.sorted(by: { $0.key < $1.key }) {
        json.key(key.text)
        json.object { json in
          json.member("type", value.typeName)
          json.key("value")
          json.value(value)
        }
      }
    }
    return json.text
  }
}

extension JSONText {
  mutating func value(_ value: PropertyValue) {
    switch value {
    case .string(let text): self.value(text)
    case .boolean(let flag): self.value(flag)
    case .integer(let number): self.value(number)
    case .double(let number): self.value(number)
    case .date(let time): self.value(Timestamp.text(time))
    }
  }
}
