extension Item {
  /// For a reader to begin with.
  static let blank = Item(
    LoadedItem(
      kind: .geotrigger, campaign: Identifier(""), region: Identifier(""), content: Content(message: "", data: ""),
      coordinate: nil, trigger: .enter, matchRange: 0),
    matchIdentifier: "", visit: nil)

  mutating func code(_ coder: inout some StateCoder) {
    codeValues(&coder)
    coder.code(&sent, empty: Sent(date: 0, answered: nil)) { coder, sent in
      Timestamp.code(&sent.date, &coder)
      Timestamp.code(&sent.answered, &coder)
    }
  }
}

extension Item.Values {
  mutating func code(_ coder: inout some StateCoder) {
    var handler: HandlerType?
    if case .notification(let type) = loaded.kind { handler = type }
    coder.code(&handler, empty: .regular) { coder, handler in coder.code(&handler) }
    loaded.kind = handler.map(Campaign.Kind.notification) ?? .geotrigger
    coder.code(&loaded.campaign)
    coder.code(&loaded.region)
    coder.code(&loaded.regionName)
    // Where loaded items were of the same type, it could be nil.
    var match: String? = matchIdentifier
    coder.code(&match)
    coder.require(match != nil)
    matchIdentifier = match ?? ""
    coder.code(&visit)
    loaded.content.code(&coder)
    coder.code(&loaded.coordinate, empty: Coordinate(latitude: 0, longitude: 0)) { coder, place in place.code(&coder) }
    loaded.trigger.code(&coder)
    coder.code(&loaded.matchRange)
    coder.code(&loaded.priority)
    coder.code(&loaded.stay.endsAtExit)
    coder.code(&loaded.stay.endsWithCampaign)
    coder.code(&loaded.stay.expireAfter)
    coder.require(loaded.stay.expireAfter.map { $0 > 0 && $0 <= 31_536_000_000 } ?? true)
    Timestamp.code(&loaded.stay.expireAt, &coder)
    coder.code(&updates)
    coder.code(&correlationKey)
    coder.list(&coalesced, empty: ItemKey(campaign: Identifier(""), region: Identifier(""))) { coder, key in
      key.code(&coder)
    }
    var message = incoming
    coder.code(&message, empty: Item.Incoming(id: "")) { coder, message in message.code(&coder) }
    if message != incoming { incoming = message }
    guard coder.version > 1 else { return }
    coder.code(&loaded.travel, empty: TravelTime(minutes: 0)) { coder, travel in
      coder.code(&travel.minutes)
      coder.require(TravelTime.range.contains(travel.minutes))
      coder.code(&travel.mode, empty: .pedestrian) { coder, mode in coder.code(&mode) }
    }
  }
}

extension ItemKey {
  mutating func code(_ coder: inout some StateCoder) {
    coder.code(&campaign)
    coder.code(&region)
  }

  /// An order that does not depend on a table's.
  func isBefore(_ other: ItemKey) -> Bool {
    campaign == other.campaign ? region < other.region : campaign < other.campaign
  }
}

extension Item.Incoming {
  fileprivate mutating func code(_ coder: inout some StateCoder) {
    coder.code(&id)
    coder.code(&sender)
    coder.code(&thread)
    coder.code(&revision)
    coder.code(&isSilent)
    coder.code(&isSuppressed)
  }
}

extension Trigger {
  /// A number for the trigger, and the one that belongs to it.
  fileprivate mutating func code(_ coder: inout some StateCoder) {
    var (number, value): (UInt64, Int64) =
      switch self {
      case .enter: (0, 0)
      case .exit: (1, 0)
      case .dwelling(let minutes): (2, minutes)
      case .inside(let minute): (3, minute)
      case .approaching(let seconds): (4, seconds)
      case .absent: (5, 0)
      case .trip(let moment): (6, moment.number)
      }
    coder.code(&number)
    if number > 1 { coder.code(&value) }
    switch number {
    case 0: self = .enter
    case 1: self = .exit
    case 2: self = .dwelling(minutes: value)
    case 3: self = .inside(minuteOfDay: value)
    case 4: self = .approaching(seconds: value)
    case 5: self = .absent
    case 6:
      let moment = TripMoment(number: value)
      coder.require(moment != nil)
      self = .trip(moment ?? .started)
    default: coder.reject()
    }
    coder.require((0...100_000).contains(value))
  }
}

extension Content {
  fileprivate mutating func code(_ coder: inout some StateCoder) {
    coder.code(&message)
    coder.code(&data)
    var hasMore =
      title != nil || subtitle != nil || body != nil || sound != nil || badge != nil || category != nil
      || !attachments.isEmpty || !actions.isEmpty || !userInfo.isEmpty
    coder.code(&hasMore)
    guard hasMore else { return }
    coder.code(&title)
    coder.code(&subtitle)
    coder.code(&body)
    coder.code(&sound)
    coder.code(&badge)
    coder.require(badge.map(Self.badgeRange.contains) ?? true)
    coder.code(&category)
    coder.list(&attachments, empty: Attachment(id: "", url: "")) { coder, attachment in
      coder.code(&attachment.id)
      coder.code(&attachment.url)
      coder.code(&attachment.type)
    }
    coder.list(&actions, empty: Action(id: "", title: "")) { coder, action in
      coder.code(&action.id)
      coder.code(&action.title)
      coder.code(&action.foreground)
      coder.code(&action.destructive)
    }
    coder.list(&userInfo, empty: UserInfoEntry(key: Identifier(""), json: "null")) { coder, entry in
      coder.code(&entry.key)
      coder.code(&entry.json)
    }
  }
}
