/// Messages from outside, on their way to the filter: what is old is left out, then the rules decide, the same in the foreground and in
/// the background. From the filter on they go the way of all notifications.
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
      remember(item, key, isRetracted: false)
      dropDeferred(key, .stale)
      applyRules(item)
    }
    return finish()
  }

  // MARK: Old and new

  private mutating func isNews(_ message: Message, _ item: Item, _ key: Identifier) -> Bool {
    let first = state.messages.firstSeen(message.matchIdentifier, now: now, memory: rules.memory)
    if let reason = first == nil ? newest(key)?.refusal(of: message) : .duplicate {
      let inputs: Inputs? = first.map { ["first": .time($0)] }
      record(item, .revision, .drop, reason, key.text, inputs: inputs)
      suppress(item, reason)
      return false
    }
    record(item, .revision, .pass, .newest, key.text)
    change(state.messages.see(message.matchIdentifier, at: now))
    return true
  }

  private func newest(_ key: Identifier) -> Correlation? {
    state.messages.newest(key, now: now, memory: rules.memory)
  }

  private mutating func remember(_ item: Item, _ key: Identifier, isRetracted: Bool) {
    // Without a revision the order of arrival counts; the last known one keeps its word about those that have one.
    let known = newest(key).flatMap { isRetracted || $0.isRetracted ? nil : $0.revision }
    let entry = Correlation(
      revision: item.incoming?.revision ?? known, matchIdentifier: item.matchIdentifier,
      isRetracted: isRetracted, time: now)
    change(state.messages.correlate(key, entry))
  }

  /// Why a message that has waited must not be shown any more; nil when it may.
  func outdated(_ item: Item) -> Reason? {
    item.isMessage ? state.messages.outdated(item, now: now, memory: rules.memory) : nil
  }

  /// Its sender takes it back: what is on the screen goes, what waits is left out, and what comes late too.
  private mutating func retract(_ item: Item, _ key: Identifier) {
    remember(item, key, isRetracted: true)
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
    if item.isMessage, let end = state.messages.unsee(item.matchIdentifier) { change(end) }
  }

  /// Lets go of what is too old, at most once an hour: nothing that counts depends on it.
  private mutating func forgetMessages() {
    if let last = lastForgotten, now - last < 3_600_000 { return }
    lastForgotten = now
    if let forgotten = state.messages.forget(upTo: now - rules.memory) { change(forgotten) }
  }

  // MARK: Rules

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
        item.values.loaded.content.title = text.isEmpty ? nil : text
      }
      if let body {
        let text = body.filled { original.field($0) }
        item.values.loaded.content.message = text.isEmpty ? rules.placeholder : text
      }
    case .defer(let deferral):
      guard !wasDeferred else {
        record(item, .rules, .pass, .ruleKept, name)
        break
      }
      let until = deferral.end(after: now, in: state.host.zone)
      record(item, .rules, .hold, .ruleDeferred, name, inputs: noted(["until": .time(until)]), nextPossible: until)
      // Where nothing can be held back, it would be shown as it is.
      guard settings.canSuppress else { return showInstead(item) }
      var isTimeOfDay = false
      if case .minute = deferral { isTimeOfDay = true }
      change(state.messages.wait(DeferredMessage(item: item, until: until, isTimeOfDay: isTimeOfDay)))
      return
    }
    goOn(item)
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
    Batch.time(
      toAnswer: items, settings.filterDeadline, ofMessages: settings.messageDeadline)
  }

  // MARK: Deferred ones

  /// Lets those go on whose time has come; the rules are asked again, for a sender may be blocked by now.
  mutating func releaseDeferred() {
    let now = now
    for deferred in state.messages.takeDeferred({ $0.until <= now }) {
      change(.deferredEnded(matchIdentifier: deferred.item.matchIdentifier))
      applyRules(deferred.item, wasDeferred: true)
    }
  }

  private mutating func dropDeferred(_ key: Identifier, _ reason: Reason) {
    for deferred in state.messages.takeDeferred({ $0.item.correlationKey.map(Identifier.init) == key }) {
      change(.deferredEnded(matchIdentifier: deferred.item.matchIdentifier))
      record(deferred.item, .revision, .drop, reason, key.text)
      suppress(deferred.item, reason)
    }
    dropWaiting(.revision, reason) { $0.item.isMessage && $0.item.correlationKey.map(Identifier.init) == key }
  }

  /// The wall clock was set: what is remembered moves with it, and so does a wait of some length; a time of the day is looked for anew.
  mutating func moveMessages(by move: Milliseconds, to wall: Milliseconds) {
    func moved(_ time: Milliseconds) -> Milliseconds { max(0, min(time + move, wall)) }
    lastForgotten = nil
    let (now, zone) = (now, state.host.zone)
    let changes = state.messages.moveTimes(moved) { deferred in
      deferred.isTimeOfDay
        ? MessageRule.Deferral.minute(zone.local(deferred.until).ofDay / 60_000).end(after: now, in: zone)
        : max(0, deferred.until + move)
    }
    for change in changes { self.change(change) }
  }

  /// Whether a display begins the global cooldown.
  func beginsCooldown(_ item: Item) -> Bool {
    guard let incoming = item.incoming else { return true }
    return rules.keepsCooldown && !incoming.isSuppressed
  }

  // MARK: Not shown

  /// A message is not shown, whichever step was against it. Where the host cannot suppress it, it is shown in the form that the
  /// configuration says: never as it came.
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
    shown.values.incoming?.isSuppressed = true
    shown.matchIdentifier = StableIdentifier.make(
      "match", item.matchIdentifier, "suppressed", String(now), String(state.sequence),
      String(state.delivery.intents.count))
    switch settings.suppressFallback {
    case .placeholder:
      record(item, .suppress, .pass, .placeholder)
      shown.values.loaded.content = Content(message: rules.placeholder, data: "")
    case .silent:
      record(item, .suppress, .pass, .silent)
      shown.silence()
      if shown.message.isEmpty { shown.values.loaded.content.message = rules.placeholder }
    }
    askToShow(shown)
  }

  // MARK: Lists

  /// Takes a list in place of the one of this name, unless that is newer; nil makes it absent.
  public mutating func setList(
    _ name: Identifier, version: Int64, entries: Set<Identifier>?, at time: Milliseconds
  ) -> Output {
    output.restart()
    proceed(to: time)
    guard let entries else {
      if let change = state.messages.removeList(name) { self.change(change) }
      return finish()
    }
    takeList(name, MessageList(version: version, entries: entries, refreshed: now))
    return finish()
  }

  /// Adds entries to a list and takes others away; an absent one is there from now on. Throws `invalid` when it would have too many, and
  /// then nothing has changed.
  public mutating func editList(
    _ name: Identifier, add: Set<Identifier>, remove: Set<Identifier>, at time: Milliseconds
  ) throws(InputError) -> Output {
    var list = state.messages.edited(name, add: add, remove: remove)
    guard list.entries.count <= MessageList.limit else {
      throw .invalid(
        name: "add", expected: "at most \(MessageList.limit) entries in the list afterwards",
        found: "\(list.entries.count)")
    }
    output.restart()
    proceed(to: time)
    list.refreshed = now
    takeList(name, list)
    return finish()
  }

  /// Takes those that a new feed brings, as if the host had set them.
  mutating func takeSuppliedLists() {
    for list in rules.lists {
      takeList(list.name, MessageList(version: list.version, entries: list.entries, refreshed: now))
    }
  }

  private mutating func takeList(_ name: Identifier, _ list: MessageList) {
    switch state.messages.take(name, list) {
    case .taken(let change):
      if let change { self.change(change) }
      let count = Int64(list.entries.count)
      recordList(name, .pass, .listTaken, noted(["version": .integer(list.version), "entries": .integer(count)]))
    case .older(let inForce):
      recordList(name, .drop, .listOlder, noted(["version": .integer(list.version), "inForce": .integer(inForce)]))
    }
  }

  private mutating func recordList(_ name: Identifier, _ verdict: Verdict, _ reason: Reason, _ inputs: Inputs) {
    record(
      Decision(time: now, step: .list, verdict: verdict, reason: reason, detail: name.text, inputs: inputs))
  }

  private mutating func change(_ change: MessageChange) { output.note(.messages(change)) }
}
