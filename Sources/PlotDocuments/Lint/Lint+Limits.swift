internal import PlotCore

/// How often something is shown: repetition, cooldowns, caps.
extension Lint {
  mutating func checkLimits() {
    checkRepetition()
    checkRepeatMinutes()
    checkAbsences()
    checkPauses()
    checkCaps()
    checkTags()
    checkEnabled()
    checkIdleKeys()
  }

  /// A cooldown or a cap that lasts longer than the campaign.
  private mutating func checkRepetition() {
    guard let feed else { return }
    for (index, campaign) in feed.known where campaign.welcome == nil {
      guard let span = campaign.span else { continue }
      if case .after(let period) = campaign.repeatRule, period >= span {
        report(
          .repeatsNever, campaign: index, "cooldownPeriod",
          sentence: "The cooldown of the \(campaign.title) is as long as it lasts, or longer: it is never shown again.")
      } else if campaign.repeatRule != .once,
        let cap = campaign.caps.firstIndex(where: { cap in
          guard cap.maximum == 1, case .campaign = cap.scope, case .window(let window) = cap.span else { return false }
          return window >= span
        })
      {
        report(
          .repeatsNever, [.key("campaigns"), .index(index), .key("caps"), .index(cap)],
          "The \(campaign.title) may be shown again, but this cap allows one display for as long as it lasts.")
      }
    }
  }

  /// Silences that may be as long as what they are not to hide.
  private mutating func checkAbsences() {
    guard let feed else { return }
    for (index, campaign) in feed.known {
      guard let rule = campaign.absence, let shortest = rule.shortestSpan, rule.longestGap >= shortest else { continue }
      report(
        .silenceHidesAbsence, campaign: index, "absence",
        sentence:
          "The \(campaign.title) waits for an absence of \(shortest / 60_000) minutes, and a device may be silent for"
          + " \(rule.longestGap / 60_000) of them.")
    }
  }

  private mutating func checkRepeatMinutes() {
    guard let feed else { return }
    for (index, campaign) in feed.known {
      guard let every = campaign.repeatEvery, case .after(let period) = campaign.repeatRule, every < period,
        campaign.cooldownAnchor == .shown
      else { continue }
      report(
        .repeatBelowCooldown, campaign: index, "repeatMinutes",
        sentence:
          "The \(campaign.title) is triggered every \(every / 60_000) minutes, but shown only every"
          + " \(period / 1000) seconds."
      )
    }
  }

  /// A pause after any notification that lasts longer than a campaign.
  private mutating func checkPauses() {
    guard let feed else { return }
    var pauses: [(length: Milliseconds, name: String)] = []
    if let seconds = configuration?.cooldownPeriod {
      pauses.append((seconds * 1000, "the configuration's cooldownPeriod"))
    }
    for strategy in feed.settings.strategies where strategy.isEnabled {
      switch strategy.rule {
      case .minimumTime(let length, after: .shown): pauses.append((length, "the strategy \"\(strategy.key.text)\""))
      case .maximum(1, let window): pauses.append((window, "the strategy \"\(strategy.key.text)\""))
      default: break
      }
    }
    for cap in feed.settings.caps {
      if case .all = cap.scope, cap.maximum == 1, case .window(let window) = cap.span {
        pauses.append((window, "the cap of the settings over all"))
      }
    }
    // With one notification there is no other.
    guard let longest = pauses.max(by: { $0.length < $1.length }), feed.campaigns.count > 1 else { return }
    for (index, campaign) in feed.known where campaign.isNotification {
      guard let span = campaign.span, longest.length >= span else { continue }
      report(
        .pauseOutlastsCampaign, campaign: index, "end",
        sentence:
          "The \(campaign.title) lasts \(span / 1000) seconds, and \(longest.name) keeps it back for"
          + " \(longest.length / 1000) after any other."
      )
    }
  }

  // MARK: Caps

  private mutating func checkCaps() {
    guard let feed else { return }
    reportWeaker(
      feed.settings.caps, indices(of: "/settings/caps", feed.settings.caps.count), [.key("settings")], "the settings")
    for (index, region) in feed.regions.enumerated() {
      guard let region else { continue }
      reportWeaker(
        region.caps, Array(region.caps.indices), [.key("regions"), .index(index)], "the region \"\(region.id.text)\"")
    }
    for (index, campaign) in feed.known {
      reportWeaker(
        campaign.caps, Array(campaign.caps.indices), [.key("campaigns"), .index(index)], "the \(campaign.title)")
    }
  }

  private mutating func reportWeaker(_ caps: [Cap], _ numbers: [Int], _ owner: [PathStep], _ name: String) {
    for (position, cap) in caps.enumerated() {
      let stricter = caps.indices.first { other in
        other != position && caps[other].isAsStrict(as: cap) && (other < position || !cap.isAsStrict(as: caps[other]))
      }
      guard let stricter else { continue }
      report(
        .capWithoutEffect, .feed, owner + [.key("caps"), .index(numbers[position])],
        "Cap \(numbers[position]) of \(name) never has an effect, for cap \(numbers[stricter]) is as strict.")
    }
  }

  private mutating func checkTags() {
    guard let feed else { return }
    let known = Set(feed.known.flatMap(\.campaign.tags))
    func isUnused(_ tag: Identifier) -> Bool { !known.contains(tag) && !feed.leftOut.contains(tag.text) }
    for (index, cap) in zip(indices(of: "/settings/caps", feed.settings.caps.count), feed.settings.caps) {
      guard case .tag(let tag) = cap.scope, isUnused(tag) else { continue }
      report(
        .unusedTag, [.key("settings"), .key("caps"), .index(index), .key("tag")],
        "A cap is about the tag \"\(tag.text)\", which no campaign has.")
    }
    for (index, quiet) in zip(
      indices(of: "/settings/quietHours", feed.settings.quietHours.count), feed.settings.quietHours)
    {
      guard let tag = quiet.tag, isUnused(tag) else { continue }
      report(
        .unusedTag, [.key("settings"), .key("quietHours"), .index(index), .key("tag")],
        "Quiet hours are about the tag \"\(tag.text)\", which no campaign has.")
    }
  }

  private mutating func checkEnabled() {
    guard let feed, !feed.settings.notificationsEnabled else { return }
    guard let first = feed.known.first(where: { $0.campaign.isNotification })?.campaign else { return }
    report(
      .notificationsDisabled, [.key("settings"), .key("notificationsEnabled")],
      "All notifications are switched off, also the \(first.title).")
  }

  // MARK: Keys

  private mutating func checkIdleKeys() {
    guard let feed, let reader = feedReader else { return }
    for (index, campaign) in feed.known {
      func has(_ key: String) -> Bool { reader.has("/campaigns/\(index)/\(key)") }
      var idle: [(key: String, why: String)] = []
      if campaign.welcome != nil {
        for key in ["cooldownPeriod", "resend"] where has(key) { idle.append((key, "welcome.period stands for it")) }
      } else {
        if has("cooldownFrom"), case .after = campaign.repeatRule {
        } else if has("cooldownFrom") {
          idle.append(("cooldownFrom", "there is no cooldownPeriod"))
        }
        if has("resend"), case .after = campaign.repeatRule { idle.append(("resend", "cooldownPeriod stands for it")) }
      }
      if campaign.stay.endsAtExit, campaign.trigger == .exit {
        idle.append(("removeOnExit", "it is shown when the region has been left"))
      }
      if campaign.showsLate, campaign.trigger == .exit {
        idle.append(("showLate", "what is shown when the region has been left is never too late for it"))
      }
      let regions = feed.allRegions(of: campaign)
      if campaign.countsPassages, let regions, regions.allSatisfy({ !$0.shape.isPlace }) {
        idle.append((campaign.crossing == nil ? "passages" : "crossing", "none of its regions is a geofence"))
      } else if campaign.crossing?.direction != nil, let regions, !regions.contains(where: \.shape.isLine) {
        idle.append(("crossing", "none of its regions is a line, whose sides a direction needs"))
      }
      if let rule = campaign.visits, let to = rule.to, rule.every > 1, to - rule.from < rule.every {
        idle.append(("visits", "of its \"every\" only the first visit counts"))
      }
      for (key, why) in idle {
        report(
          .idleKey, campaign: index, key, sentence: "\"\(key)\" of the \(campaign.title) has no effect: \(why).")
      }
    }
  }
}

extension Cap {
  /// Whether there is never room by this one without there being room by the other.
  fileprivate func isAsStrict(as other: Cap) -> Bool {
    guard scope == other.scope, maximum <= other.maximum else { return false }
    switch (span, other.span) {
    case (.window(let mine), .window(let others)): return mine >= others
    case (.days(let mine, let zone), .days(let others, let otherZone)): return zone == otherZone && mine >= others
    case (.visit, .visit): return true
    default: return false
    }
  }
}
