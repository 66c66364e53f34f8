public import PlotCore

extension Feed {
  /// The feed as JSON text; reading it gives an equal feed.
  public var json: String { json(hasLists: true) }

  /// The same as a recording has it: with every value of each noise policy, for a preset's name may stand for others later; in one of the first
  /// releases, with their names.
  public func recordedJSON(_ names: NoisePolicy.Names) -> String {
    json(hasLists: true, names == .first ? .first : nil)
  }

  /// The same with no regions and campaigns.
  var frameJSON: String { json(hasLists: false) }

  private func json(hasLists: Bool, _ names: NoisePolicy.Names? = .present) -> String {
    var json = JSONText()
    json.object { json in
      json.member("version", Int64(1))
      json.member("revision", revision)
      json.key("regions")
      json.array { json in
        guard hasLists else { return }
        for position in regions.indices { write(region: position, to: &json, names) }
      }
      json.key("campaigns")
      json.array { json in
        guard hasLists else { return }
        for position in campaigns.indices { write(campaign: position, to: &json) }
      }
      Self.write(settings, to: &json)
      Self.write(categories, to: &json)
      Self.write(settings.messages.lists, to: &json)
    }
    return json.text
  }

  /// A region; one of a compiled feed as it is in there.
  func write(region position: Int, to json: inout JSONText, _ names: NoisePolicy.Names? = .present) {
    if names == .present, let records = regions.records as? MappedRecords<Region> {
      json.raw(records.json(at: position))
    } else {
      Self.write(regions[position], to: &json, names)
    }
  }

  func write(campaign position: Int, to json: inout JSONText) {
    if let records = campaigns.records as? MappedRecords<Campaign> {
      json.raw(records.json(at: position))
    } else {
      write(campaigns[position], to: &json)
    }
  }

  static func write(_ region: Region, to json: inout JSONText, _ names: NoisePolicy.Names? = .present) {
    json.object { json in
      json.member("id", region.id.text)
      switch region.shape {
      case .circle(let circle):
        json.member("type", "geofence")
        json.member("name", region.name)
        json.member("latitude", circle.center.latitude)
        json.member("longitude", circle.center.longitude)
        json.member("radius", circle.radius)
      case .area(let area):
        json.member("type", "geofence")
        json.member("name", region.name)
        write(area, to: &json)
        json.member("travelMinutes", region.travel?.minutes)
        json.member("travelMode", region.travel?.mode?.rawValue)
      case .beacon(let beacon):
        json.member("type", "beacon")
        json.member("name", region.name)
        json.member("proximityUUID", beacon.proximityUUID)
        json.member("majorId", Int64(beacon.majorId))
        json.member("minorId", beacon.minorId.map(Int64.init))
        json.member("range", beacon.range.rawValue)
      case .eddystone(let beacon):
        json.member("type", "beacon")
        json.member("name", region.name)
        json.member("namespaceId", beacon.namespaceId)
        json.member("instanceId", beacon.instanceId)
        json.member("range", beacon.range.rawValue)
      case .group(let group):
        json.member("type", "group")
        json.member("name", region.name)
        json.key("regions")
        json.array { json in for member in group.members { json.value(member.text) } }
        json.member("enter", group.enter.rawValue)
        json.member("hold", group.hold.rawValue)
      }
      json.member("country", region.country)
      json.member("timeZone", region.zone?.name)
      if let times = region.times { write(times, to: &json) }
      if let noise = region.noise {
        json.key("noise")
        noise.write(to: &json, ofRegion: true, names)
      }
      json.member("initial", region.initial?.rawValue)
      if region.isMoving { json.member("moving", true) }
      writeLimits(region, to: &json)
      if !region.customFields.isEmpty {
        json.key("customFields")
        json.object { json in for field in region.customFields { json.member(field.name, field.value) } }
      }
    }
  }

  private func write(_ campaign: Campaign, to json: inout JSONText) {
    json.object { json in
      json.member("id", campaign.id.text)
      switch campaign.kind {
      case .notification(let handler):
        json.member("type", "notification")
        json.member("message", campaign.text.source)
        Self.write(campaign.translations.map { ($0.language, $0.message) }, "messages", to: &json)
        json.member("handlerType", handler.rawValue)
      case .geotrigger:
        json.member("type", "geotrigger")
        json.member("name", campaign.text.source)
      }
      json.member("data", campaign.data.source)
      Self.write(campaign.content, campaign.translations, to: &json)
      json.member("trigger", campaign.trigger.name)
      if case .dwelling(let minutes) = campaign.trigger { json.member("dwellingMinutes", minutes) }
      json.member("insideAt", campaign.trigger.insideMinute.map(Self.text))
      json.member("arrivalSeconds", campaign.trigger.arrivalSeconds)
      json.member("tripEvent", campaign.trigger.tripMoment?.rawValue)
      if campaign.countsPassages, campaign.crossing == nil { json.member("passages", true) }
      if let crossing = campaign.crossing { Self.write(crossing, to: &json) }
      if let absence = campaign.absence {
        json.key("absence")
        absence.write(to: &json)
      }
      if campaign.isDaily { json.member("daily", true) }
      json.member("repeatMinutes", campaign.repeatEvery.map { $0 / 60_000 })
      json.key("regions")
      json.array { json in for region in campaign.regions { json.value(regions.id(at: region).text) } }
      json.member("start", campaign.start.map(Timestamp.text))
      json.member("end", campaign.end.map(Timestamp.text))
      Self.write(campaign.times, to: &json)
      if let segment = campaign.segmentation {
        json.key("segmentation")
        Self.write(segment, to: &json)
      }
      switch campaign.repeatRule {
      case .once: break
      case .always: json.member("resend", true)
      case .after(let period): json.member("cooldownPeriod", period / 1000)
      }
      Self.writeShowing(campaign, to: &json)
      if let chain = campaign.after { Self.write(chain, to: &json) }
      if let visits = campaign.visits { Self.write(visits, to: &json) }
      Self.writeLimits(campaign, to: &json)
    }
  }
}

extension AbsenceRule {
  fileprivate func write(to json: inout JSONText) {
    json.object { json in
      switch length {
      case .lasting(let minutes): json.member("minutes", minutes)
      case .upTo(let deadline):
        json.member("by", Feed.text(ofMinute: deadline.by))
        if deadline.from != 0 { json.member("from", Feed.text(ofMinute: deadline.from)) }
        if deadline.days.contains(false) {
          json.key("days")
          json.array { json in
            for (day, name) in zip(deadline.days, FeedReader.days) where day { json.value(name) }
          }
        }
        json.member("fromDay", deadline.fromDay.map { FeedReader.days[$0] })
      }
      if leastVisit != 0 { json.member("leastMinutes", leastVisit / 60_000) }
      if longestGap != Self.standardGap(of: length) { json.member("silenceMinutes", longestGap / 60_000) }
    }
  }
}
