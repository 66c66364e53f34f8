/// Messages from outside, on their way to the filter: what is old is left out, then the rules decide, the same in the foreground and in
/// the background (seed 002). From the filter on they go the way of all notifications.
extension Machine {
  private var rules: MessageSettings { feed.settings.messages }

  /// Takes a message.
  public mutating func process(_ message: Message, at time: Milliseconds) -> Output {
    output.restart()
    proceed(to: time)
    forgetMessages()
    let item = Item(message)
    let key = Identifier(item.correlationKey ?? message.id)
    guard isNews(message, item, key) else { return finish() }
    if message.operation == .retract {
      retract(item, key)
    } else {
      keep(item, key, isRetracted: false)
      dropDeferred(key, .stale)
      applyRules(item)
    }
    return finish()
  }

  // MARK: Old and new (seed 003)

  private mutating func isNews(_ message: Message, _ item: Item, _ key: Identifier) -> Bool {
    let reason: Reason? =
      state.messages.seen[message.matchIdentifier].map { isRemembered($0) } == true
      ? .duplicate : correlation(key)?.refusal(of: message)
    if let reason {
      let first = reason == .duplicate ? state.messages.seen[message.matchIdentifier] : nil
      let inputs: Inputs? = first.map { ["first": .time($0)] }
      record(item, .revision, .drop, reason, key.text, inputs: inputs)
      suppress(item, reason)
      return false
    }
    record(item, .revision, .pass, .newest, key.text)
    state.messages.seen[message.matchIdentifier] = now
    change(.seen(message.matchIdentifier, now))
    return true
  }

  private func isRemembered(_ time: Milliseconds) -> Bool { now - time < rules.memory }

  private func correlation(_ key: Identifier) -> Correlation? {
    state.messages.correlations[key].flatMap { isRemembered($0.time) ? $0 : nil }
  }

  private mutating func keep(_ item: Item, _ key: Identifier, isRetracted: Bool) {
    // Without a revision the order of arrival counts; the last known one keeps its word about those that have one.
    let known = correlation(key).flatMap { isRetracted || $0.isRetracted ? nil : $0.revision }
    let entry = Correlation(
      revision: item.incoming?.revision ?? known, matchIdentifier: item.matchIdentifier ?? "",
      isRetracted: isRetracted, time: now)
    state.messages.correlations[key] = entry
    change(.correlation(key, entry))
  }

  /// Why a message that has waited must not be shown any more; nil when it may.
  func outdated(_ item: Item) -> Reason? {
    guard let incoming = item.incoming, !incoming.isSuppressed, let key = item.correlationKey,
      let newest = correlation(Identifier(key)), newest.matchIdentifier != item.matchIdentifier
    else { return nil }
    return newest.isRetracted ? .retracted : .stale
  }

  /// Its sender takes it back: what is on the screen goes, what waits is left out, and what comes late too.
  private mutating func retract(_ item: Item, _ key: Identifier) {
    keep(item, key, isRetracted: true)
    dropDeferred(key, .retracted)
    for shown in state.screen.displayed where shown.correlationKey.map(Identifier.init) == key {
      remove(shown, .retracted)
    }
    if settings.canSuppress { emit(.messageRetracted, item) } else { showInstead(item) }
  }

  /// It was shown while its sender took it back.
  mutating func removeRetracted(_ item: Item) {
    if outdated(item) == .retracted { remove(item, .retracted) }
  }

  /// It could not be shown: when it comes again, it is tried again.
  mutating func forgetSeen(_ item: Item) {
    guard item.isMessage, let match = item.matchIdentifier, state.messages.seen[match] != nil else { return }
    state.messages.seen[match] = nil
    change(.unseen(match))
  }

  /// Lets go of what is too old, at most once an hour: nothing that counts depends on it.
  private mutating func forgetMessages() {
    if let last = lastForgotten, now - last < 3_600_000 { return }
    lastForgotten = now
    let limit = now - rules.memory
    let old =
      state.messages.seen.values.contains { $0 <= limit }
      || state.messages.correlations.values.contains { $0.time <= limit }
    guard old else { return }
    state.messages.seen = state.messages.seen.filter { $0.value > limit }
    state.messages.correlations = state.messages.correlations.filter { $0.value.time > limit }
    change(.forgotten(limit))
  }

  // MARK: Rules (seed 002)

  private mutating func applyRules(_ item: Item, wasDeferred: Bool = false) {
    for (position, rule) in rules.rules.enumerated() {
      switch rule.condition?.truth(item.facts, state.messages.lists) ?? .yes {
      case .yes: break
      case .no: continue
      case .unknown(let list):
        record(item, .rules, .pass, .listAbsent, list.text)
        if rule.whenAbsent == .skip { continue }
      }
      return apply(rule, rule.id?.text ?? String(position), item, wasDeferred)
    }
    let count = Int64(rules.rules.count)
    record(item, .rules, .pass, .noRule, inputs: noted(["rules": .integer(count)]))
    goOn(item)
  }

  private mutating func apply(_ rule: MessageRule, _ name: String, _ item: Item, _ wasDeferred: Bool) {
    var item = item
    switch rule.action {
    case .keep: record(item, .rules, .pass, .ruleKept, name)
    case .drop:
      record(item, .rules, .drop, .ruleDropped, name)
      return suppress(item, .ruleDropped)
    case .mute:
      record(item, .rules, .pass, .ruleMuted, name)
      item.silence()
    case .rewrite(let title, let body):
      record(item, .rules, .pass, .ruleRewritten, name)
      let original = item.facts
      if let title {
        let text = title.filled { original.field($0) }
        item.content.title = text.isEmpty ? nil : text
      }
      if let body {
        let text = body.filled { original.field($0) }
        item.content.message = text.isEmpty ? rules.placeholder : text
      }
    case .defer(let deferral):
      guard !wasDeferred else {
        record(item, .rules, .pass, .ruleKept, name)
        break
      }
      let until = time(of: deferral)
      record(item, .rules, .hold, .ruleDeferred, name, inputs: noted(["until": .time(until)]), nextPossible: until)
      // Where nothing can be held back, it would be shown as it is.
      guard settings.canSuppress else { return showInstead(item) }
      var isTimeOfDay = false
      if case .minute = deferral { isTimeOfDay = true }
      let deferred = DeferredMessage(item: item, until: until, isTimeOfDay: isTimeOfDay)
      state.messages.deferred.append(deferred)
      change(.deferred(deferred))
      return
    }
    goOn(item)
  }

  private func time(of deferral: MessageRule.Deferral) -> Milliseconds {
    switch deferral {
    case .period(let period): return now + period
    case .minute(let minute):
      let today = state.host.zone.local(now).day
      for day in today...(today + 2) {
        let times = state.host.zone.times(of: LocalTime(day: day, minute: minute))
        if let next = times.first(where: { $0 > now }) { return next }
      }
      return now + 86_400_000
    }
  }

  private mutating func goOn(_ item: Item) {
    if settings.hasFilter {
      ask([item], isGeotrigger: false)
    } else {
      record(item, .filter, .pass, .noFilter)
      enqueue([item])
    }
  }

  /// How long the app may take to answer about items: less for messages, where the system waits only so long.
  func filterDeadline(_ items: [Item]) -> Milliseconds {
    guard let most = settings.messageDeadline, items.contains(where: \.isMessage) else {
      return settings.filterDeadline
    }
    return min(settings.filterDeadline, most - Self.messageMargin)
  }

  /// What remains for the engine and the host when the filter's time is up.
  static let messageMargin: Milliseconds = 2000

  // MARK: Deferred ones

  /// Lets those go on whose time has come; the rules are asked again, for a sender may be blocked by now.
  mutating func releaseDeferred() {
    let now = now
    for deferred in takeDeferred({ $0.until <= now }) {
      change(.deferredEnded(matchIdentifier: deferred.item.matchIdentifier ?? ""))
      applyRules(deferred.item, wasDeferred: true)
    }
  }

  /// All in one go; the end of each must be noted.
  private mutating func takeDeferred(_ isChosen: (DeferredMessage) -> Bool) -> [DeferredMessage] {
    let chosen = state.messages.deferred.filter(isChosen)
    guard !chosen.isEmpty else { return [] }
    let matches = Set(chosen.map(\.item.matchIdentifier))
    state.messages.deferred.removeAll { matches.contains($0.item.matchIdentifier) }
    return chosen
  }

  private mutating func dropDeferred(_ key: Identifier, _ reason: Reason) {
    for deferred in takeDeferred({ $0.item.correlationKey.map(Identifier.init) == key }) {
      change(.deferredEnded(matchIdentifier: deferred.item.matchIdentifier ?? ""))
      record(deferred.item, .revision, .drop, reason, key.text)
      suppress(deferred.item, reason)
    }
    dropWaiting(.revision, reason) { $0.item.isMessage && $0.item.correlationKey.map(Identifier.init) == key }
  }

  /// The wall clock was set: what is remembered moves with it, and so does a wait of some length; a time of the day is looked for anew.
  mutating func moveMessages(by move: Milliseconds, to wall: Milliseconds) {
    func moved(_ time: Milliseconds) -> Milliseconds { max(0, min(time + move, wall)) }
    state.messages.seen = state.messages.seen.mapValues(moved)
    state.messages.correlations = state.messages.correlations.mapValues { newest in
      var newest = newest
      newest.time = moved(newest.time)
      return newest
    }
    lastForgotten = nil
    for index in state.messages.deferred.indices {
      var deferred = state.messages.deferred[index]
      deferred.until =
        deferred.isTimeOfDay
        ? time(of: .minute(state.host.zone.local(deferred.until).ofDay / 60_000)) : max(0, deferred.until + move)
      state.messages.deferred[index] = deferred
      change(.deferred(deferred))
    }
  }

  /// Whether a display begins the global cooldown.
  func beginsCooldown(_ item: Item) -> Bool {
    guard let incoming = item.incoming else { return true }
    return rules.keepsCooldown && !incoming.isSuppressed
  }

  // MARK: Not shown

  /// A message is not shown, whichever step was against it. Where the host cannot suppress it, it is shown in the form that the
  /// configuration says: never as it came (seed 002).
  mutating func suppress(_ item: Item, _ reason: Reason?) {
    guard item.isMessage else { return }
    if settings.canSuppress {
      emit(.messageDropped, item, reason: reason?.rawValue)
    } else {
      showInstead(item)
    }
  }

  private mutating func showInstead(_ item: Item) {
    var shown = item
    shown.incoming?.isSuppressed = true
    shown.matchIdentifier = StableIdentifier.make(
      "match", item.matchIdentifier ?? "", "suppressed", String(now), String(state.sequence),
      String(state.delivery.intents.count))
    switch settings.suppressFallback {
    case .placeholder:
      record(item, .suppress, .pass, .placeholder)
      shown.content = Content(message: rules.placeholder, data: "")
    case .silent:
      record(item, .suppress, .pass, .silent)
      shown.silence()
      if shown.message.isEmpty { shown.message = rules.placeholder }
    }
    let change = state.delivery.show(shown)
    output.note(.delivery(change))
    output.effects.append(.show(shown))
  }

  // MARK: Lists

  /// Takes a list in place of the one of this name, unless that is newer; nil makes it absent.
  public mutating func setList(
    _ name: Identifier, version: Int64, entries: Set<Identifier>?, at time: Milliseconds
  ) -> Output {
    output.restart()
    proceed(to: time)
    let old = state.messages.lists[name]
    guard let entries else {
      if old != nil {
        state.messages.lists[name] = nil
        change(.list(name, nil))
      }
      return finish()
    }
    if let old, version < old.version {
      recordList(name, .drop, .listOlder, noted(["version": .integer(version), "inForce": .integer(old.version)]))
      return finish()
    }
    let list = MessageList(version: version, entries: entries, refreshed: now)
    if list != old {
      state.messages.lists[name] = list
      change(.list(name, list))
    }
    let count = Int64(entries.count)
    recordList(name, .pass, .listTaken, noted(["version": .integer(version), "entries": .integer(count)]))
    return finish()
  }

  private mutating func recordList(_ name: Identifier, _ verdict: Verdict, _ reason: Reason, _ inputs: Inputs) {
    record(
      Decision(time: now, step: .list, verdict: verdict, reason: reason, detail: name.text, inputs: inputs))
  }

  private mutating func change(_ change: MessageChange) { output.note(.messages(change)) }
}
