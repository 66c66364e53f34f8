internal import PlotCore

extension Feed {
  /// The settings for messages, where they are not the defaults.
  static func write(_ settings: MessageSettings, to json: inout JSONText) {
    let standard = MessageSettings()
    guard settings != standard else { return }
    json.key("messages")
    json.object { json in
      if settings.profile != standard.profile { json.member("profile", settings.profile.rawValue) }
      if FeedReader.pathFields.contains(where: { settings.paths[$0] != nil }) {
        json.key("paths")
        json.object { json in
          for field in FeedReader.pathFields { write(settings.paths[field], as: field.rawValue, to: &json) }
        }
      }
      for field in [MessageField.correlation, .revision] {
        if let paths = settings.paths[field] {
          json.key(field.rawValue)
          json.object { json in write(paths, as: "path", to: &json) }
        }
      }
      if !settings.rules.isEmpty {
        json.key("rules")
        json.array { json in for rule in settings.rules { write(rule, to: &json) } }
      }
      if settings.placeholder != standard.placeholder { json.member("placeholder", settings.placeholder) }
      if settings.memory != standard.memory { json.member("tombstoneDays", settings.memory / 86_400_000) }
      if settings.keepsCooldown { json.member("cooldown", true) }
    }
  }

  private static func write(_ paths: [MessagePath]?, as key: String, to json: inout JSONText) {
    guard let paths else { return }
    json.key(key)
    if paths.count == 1 {
      json.value(paths[0].text)
    } else {
      json.array { json in for path in paths { json.value(path.text) } }
    }
  }

  private static func write(_ rule: MessageRule, to json: inout JSONText) {
    json.object { json in
      json.member("id", rule.id?.text)
      if let condition = rule.condition {
        json.key("if")
        write(condition, to: &json)
      }
      switch rule.action {
      case .keep: json.member("then", "keep")
      case .drop: json.member("then", "drop")
      case .mute: json.member("then", "mute")
      case .rewrite(let title, let body):
        json.member("then", "rewrite")
        json.member("title", title?.source)
        json.member("body", body?.source)
      case .defer(.period(let period)):
        json.member("then", "defer")
        json.member("seconds", period / 1000)
      case .defer(.minute(let minute)):
        json.member("then", "defer")
        json.member("until", text(ofMinute: minute))
      }
      if rule.whenAbsent != .skip { json.member("whenAbsent", rule.whenAbsent.rawValue) }
    }
  }

  private static func write(_ condition: MessageCondition, to json: inout JSONText) {
    json.object { json in
      switch condition {
      case .all(let parts): write("all", parts, to: &json)
      case .any(let parts): write("any", parts, to: &json)
      case .not(let part):
        json.key("not")
        write(part, to: &json)
      case .senderIn(let list): json.member("senderIn", list.text)
      case .senderNotIn(let list): json.member("senderNotIn", list.text)
      case .threadIn(let list): json.member("threadIn", list.text)
      case .contains(let text): json.member("contains", text)
      }
    }
  }

  private static func write(_ key: String, _ parts: [MessageCondition], to json: inout JSONText) {
    json.key(key)
    json.array { json in for part in parts { write(part, to: &json) } }
  }
}

extension Feed {
  static func write(_ lists: [SuppliedList], to json: inout JSONText) {
    guard !lists.isEmpty else { return }
    json.key("lists")
    json.array { json in
      for list in lists {
        json.object { json in
          json.member("id", list.name.text)
          json.member("version", list.version)
          json.key("entries")
          json.raw(ListUpdate.text(list.entries))
        }
      }
    }
  }
}
