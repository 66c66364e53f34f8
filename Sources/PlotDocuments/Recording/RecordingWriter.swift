public import PlotCore
internal import PlotFiles

// The lines of a recording as JSON, keys in the order of docs/recording.md.

extension RecordingStart {
  public var json: String {
    var json = JSONText()
    json.object { json in
      json.member("recording", names == .first ? 1 : RecordingLine.version)
      json.member("library", library)
      json.member("effects", hasEffects)
      json.member("time", Timestamp.text(time))
      json.key("configuration")
      json.raw(configuration.recordedJSON)
      json.key("host")
      json.object { json in host.write(to: &json) }
      json.member("store", image.map(Base64.text))
      zones.write(to: &json)
    }
    return json.text
  }
}

extension RecordingHost {
  public var json: String {
    var json = JSONText()
    json.object { json in
      json.key("host")
      json.object { json in write(to: &json) }
    }
    return json.text
  }

  func write(to json: inout JSONText) {
    json.member("filter", hasFilter)
    json.member("geotriggerHandler", hasGeotriggerHandler)
    json.key("strategies")
    json.array { json in for key in strategies { json.value(key.text) } }
  }
}

extension [RecordedZone] {
  fileprivate func write(to json: inout JSONText) {
    guard !isEmpty else { return }
    json.key("zones")
    json.object { json in for zone in self { json.member(zone.name, Base64.text(zone.bytes)) } }
  }
}

extension RecordedInput {
  /// `names`: those of the recording's first line.
  public func json(_ names: NoisePolicy.Names = .present) -> String {
    var json = JSONText()
    json.object { json in
      switch value {
      case .machine(let input):
        json.member("input", input.name)
        json.member("time", input.time.map(Timestamp.text))
        input.write(to: &json, names)
      case .vote(let kind, let match, let vetoes):
        json.member("input", "vote")
        json.member("about", kind.name)
        json.member("matchIdentifier", match)
        json.identifiers("vetoes", vetoes)
      }
      zones.write(to: &json)
      if !files.isEmpty {
        json.key("files")
        json.array { json in
          for file in files {
            json.object { json in
              json.member("path", file.path)
              json.member("size", file.facts?.size)
            }
          }
        }
      }
    }
    return json.text
  }
}

extension Ballot.Kind {
  public var name: String {
    switch self {
    case .create: "create"
    case .delete: "delete"
    }
  }
}

extension JSONText {
  fileprivate mutating func identifiers(_ key: String, _ identifiers: [Identifier]) {
    self.key(key)
    array { json in for identifier in identifiers { json.value(identifier.text) } }
  }

  fileprivate mutating func states(_ states: [Identifier: String]) {
    guard !states.isEmpty else { return }
    key("states")
    object { json in for (key, text) in states.sorted(by: { $0.key < $1.key }) { json.member(key.text, text) } }
  }

  fileprivate mutating func coordinate(_ coordinate: Coordinate?) {
    member("latitude", coordinate?.latitude)
    member("longitude", coordinate?.longitude)
  }

  fileprivate mutating func values(of fix: Fix) {
    coordinate(fix.coordinate)
    member("accuracy", fix.accuracy)
    member("speed", fix.speed == -1 ? nil : fix.speed)
    member("course", fix.course == -1 ? nil : fix.course)
  }

  fileprivate mutating func content(_ content: Content) {
    member("message", content.message)
    member("data", content.data)
    for (key, value) in content.values {
      self.key(key)
      value.write(to: &self)
    }
  }

  fileprivate mutating func kept(_ token: UInt64, _ kept: [Kept]) {
    member("token", Int64(clamping: token))
    key("kept")
    array { json in
      for item in kept {
        json.object { json in
          json.member("matchIdentifier", item.matchIdentifier)
          json.content(item.content)
        }
      }
    }
  }
}

extension Input {
  /// The value of the key `input`.
  public var name: String {
    switch self {
    case .advance: "advance"
    case .fixes: "fixes"
    case .fix: "fix"
    case .sighting: "sighting"
    case .hint: "hint"
    case .move: "move"
    case .plan: "plan"
    case .clock: "clock"
    case .startClock: "start-clock"
    case .recover: "recover"
    case .begin: "begin"
    case .enabled: "enabled"
    case .cooldownPeriod: "cooldown-period"
    case .property: "property"
    case .feed: "feed"
    case .timeZone: "time-zone"
    case .message: "message"
    case .list: "list"
    case .listEdit: "list-edit"
    case .filterAnswer: "filter-answer"
    case .handled: "geotriggers-handled"
    case .confirm: "shown"
    case .confirmRemoved: "removed"
    case .vote: "vote"
    case .states: "states"
    case .open: "open"
    case .action: "action"
    case .dismiss: "dismiss"
    case .removeDisplayed: "remove-notification"
    case .updateDisplayed: "update-notification"
    case .clearSent: "clear-sent"
    case .advertising: "advertising"
    case .startTrip: "start-trip"
    case .endTrip: "end-trip"
    // docs/calls.json: names
    case .foreground: "foreground"
    case .network: "network"
    case .clearAllData: "clear-all-data"
    // end
    }
  }

  fileprivate func write(to json: inout JSONText, _ names: NoisePolicy.Names) {
    switch self {
    case .advance, .recover, .vote: break
    case .fix(let fix): json.values(of: fix)
    case .fixes(let fixes, _):
      json.key("fixes")
      json.array { json in
        for fix in fixes {
          json.object { json in
            json.member("time", Timestamp.text(fix.time))
            json.values(of: fix)
          }
        }
      }
    case .sighting(let sighting):
      switch sighting.sender {
      case .iBeacon(let uuid, let major, let minor):
        json.member("proximityUUID", uuid)
        json.member("majorId", Int64(major))
        json.member("minorId", Int64(minor))
      case .eddystone(let namespace, let instance):
        json.member("namespaceId", namespace)
        json.member("instanceId", instance)
      }
      json.member("proximity", sighting.proximity?.rawValue)
      json.member("rssi", sighting.rssi)
      json.member("power", sighting.power)
    case .hint(let hint):
      json.member("region", hint.region.text)
      json.member("kind", hint.kind.rawValue)
      json.coordinate(hint.position?.coordinate)
      json.member("accuracy", hint.position?.accuracy)
    case .move(let region, let center, _):
      json.member("region", region.text)
      json.coordinate(center)
    case .plan(let request):
      json.member("budget", request.budget)
      json.coordinate(request.here?.coordinate)
      json.member("accuracy", request.here?.accuracy)
      if request.isReset { json.member("reset", true) }
      if request.isFenceLeft { json.member("fenceLeft", true) }
    case .clock(let reading), .startClock(let reading):
      json.member("monotonic", reading.monotonic)
      json.member("boot", reading.boot)
    case .begin(let isEnabled, _), .enabled(let isEnabled, _): json.member("enabled", isEnabled)
    case .cooldownPeriod(let period, _): json.member("milliseconds", period)
    case .property(let key, let value, _):
      json.member("key", key.text)
      json.member("type", value?.typeName)
      if let value {
        json.key("value")
        json.value(value)
      }
    case .feed(let feed, _):
      json.member("digest", feed.digest)
      json.key("feed")
      json.raw(feed.recordedJSON(names))
    case .timeZone(let zone, _): json.member("zone", zone.name)
    case .message(let message, _):
      json.member("id", message.id)
      json.member("op", message.operation.rawValue)
      json.member("sender", message.sender)
      json.member("thread", message.thread)
      json.member("correlationKey", message.correlationKey)
      json.member("revision", message.revision)
      json.member("priority", message.priority)
      json.content(message.content)
    case .list(let name, let version, let entries, _):
      json.member("name", name.text)
      json.member("version", version)
      if let entries {
        json.key("entries")
        json.raw(ListUpdate.text(entries))
      }
    case .listEdit(let name, let add, let remove, _):
      json.member("name", name.text)
      json.key("add")
      json.raw(ListUpdate.text(add))
      json.key("remove")
      json.raw(ListUpdate.text(remove))
    case .filterAnswer(let token, let kept, _), .handled(let token, let kept, _): json.kept(token, kept)
    case .confirm(let match, let shown, let states):
      json.member("matchIdentifier", match)
      json.member("shown", shown)
      json.states(states)
    case .confirmRemoved(let match, let removed, let states):
      json.member("matchIdentifier", match)
      json.member("removed", removed)
      json.states(states)
    case .states(let states, let display):
      if let display { json.member("matchIdentifier", display) }
      json.states(states)
    case .open(let match, _), .dismiss(let match, _): json.member("matchIdentifier", match)
    case .removeDisplayed(let match, _): json.member("matchIdentifier", match)
    case .updateDisplayed(let kept, _):
      json.member("matchIdentifier", kept.matchIdentifier)
      json.content(kept.content)
    case .action(let action, let match, _):
      json.member("matchIdentifier", match)
      json.member("action", action)
    case .clearSent(let isGeotrigger, _): json.member("geotriggers", isGeotrigger)
    case .advertising(let identifier, let limits, _):
      json.member("identifier", identifier)
      json.member("limitTracking", limits)
    case .startTrip(let plan, _):
      json.key("trip")
      json.raw(plan.json)
    case .endTrip(let id, let hasArrived, _):
      json.member("trip", id.text)
      json.member("arrived", hasArrived)
    // docs/calls.json: keys
    case .foreground(let foreground, _): json.member("foreground", foreground)
    case .network(let available, _): json.member("available", available)
    case .clearAllData: break
    // end
    }
  }
}

extension Machine.Effect {
  /// Its line in a recording.
  public var recordedJSON: String {
    var json = JSONText()
    json.object { json in
      switch self {
      case .event(let event):
        json.key("event")
        json.raw(event.json)
      case .decision(let decision):
        json.key("decision")
        json.raw(decision.json)
      case .ask(let batch):
        json.key("ask")
        json.object { json in
          json.member("token", Int64(clamping: batch.token))
          json.member("geotriggers", batch.isGeotrigger)
          json.member("deadline", Timestamp.text(batch.deadline))
          json.key("items")
          json.raw(ListDocument.items(batch.items.map(HostItem.occurrence)))
        }
      case .show(let item):
        json.key("show")
        json.raw(item.json)
      case .open(let item):
        json.key("open")
        json.raw(item.json)
      case .vote(let ballot):
        json.key("vote")
        json.object { json in
          json.member("about", ballot.kind.name)
          json.member("matchIdentifier", ballot.item.matchIdentifier)
          json.identifiers("voters", ballot.voters)
        }
      case .inform(let notice, let keys):
        json.key("tell")
        json.object { json in
          notice.write(to: &json)
          json.identifiers("strategies", keys)
        }
      case .remove(let item):
        json.key("remove")
        json.object { json in json.member("matchIdentifier", item.matchIdentifier) }
      case .requestFix(let deadline):
        json.key("requestFix")
        json.object { json in json.member("deadline", Timestamp.text(deadline)) }
      case .plan(let difference):
        json.key("plan")
        json.raw(difference.json)
      }
    }
    return json.text
  }
}

extension Notice {
  fileprivate func write(to json: inout JSONText) {
    switch self {
    case .created(let item, let isDone):
      json.member("notice", "created")
      json.member("matchIdentifier", item.matchIdentifier)
      json.member("done", isDone)
    case .deleted(let item, let isDone, _):
      json.member("notice", "deleted")
      json.member("matchIdentifier", item.matchIdentifier)
      json.member("done", isDone)
    case .background: json.member("notice", "background")
    case .foreground: json.member("notice", "foreground")
    case .monitoring(let monitored):
      json.member("notice", "start-monitoring")
      json.member("region", monitored.region.text)
      json.member("visit", monitored.visit)
    case .parameters(let text):
      json.member("notice", "parameters")
      json.key("parameters")
      json.raw(text)
    }
  }
}

extension RecordingLine {
  /// The line about an input that was refused, which stands behind it.
  public static func refused(_ status: String, _ message: String) -> String {
    var json = JSONText()
    json.object { json in
      json.key("refused")
      json.object { json in
        json.member("status", status)
        json.member("message", message)
      }
    }
    return json.text
  }

  /// The line that says when something is due next, where an input has changed that.
  public static func wakeup(_ time: Milliseconds?) -> String {
    var json = JSONText()
    json.object { json in
      json.key("wakeup")
      if let time { json.value(Timestamp.text(time)) } else { json.raw("null") }
    }
    return json.text
  }
}
