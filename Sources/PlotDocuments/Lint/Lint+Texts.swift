internal import PlotCore

/// Texts, links and files.
extension Lint {
  mutating func checkTexts() {
    checkPlaceholders()
    checkCoalescingTexts()
    checkLanguages()
    checkSpelling()
    checkLinks()
    checkAttachments()
  }

  /// The texts of a campaign, with their keys.
  private static func texts(_ campaign: Campaign) -> [(path: [PathStep], text: Template)] {
    func content(_ key: String, _ text: Template?) -> [(path: [PathStep], text: Template)] {
      text.map { [(path: [.key("content"), .key(key)], text: $0)] } ?? []
    }
    var texts: [(path: [PathStep], text: Template)] = [
      ([.key(campaign.isNotification ? "message" : "name")], campaign.text), ([.key("data")], campaign.data),
    ]
    for translation in campaign.translations {
      let language = PathStep.key(translation.language)
      texts.append(([.key("messages"), language], translation.message))
      for (key, text) in [
        ("titles", translation.title), ("subtitles", translation.subtitle), ("bodies", translation.body),
      ] {
        if let text { texts.append(([.key("content"), .key(key), language], text)) }
      }
    }
    texts += content("title", campaign.content?.title) + content("subtitle", campaign.content?.subtitle)
    texts += content("body", campaign.content?.body)
    for (index, attachment) in (campaign.content?.attachments ?? []).enumerated() {
      texts.append(([.key("content"), .key("attachments"), .index(index), .key("url")], attachment.url))
    }
    if let key = campaign.correlationKey { texts.append(([.key("correlationKey")], key)) }
    if let offline = campaign.welcome?.offline {
      texts.append(([.key("welcome"), .key("offline"), .key("message")], offline.message))
      texts.append(([.key("welcome"), .key("offline"), .key("data")], offline.data))
    }
    return texts
  }

  private mutating func checkPlaceholders() {
    guard let feed else { return }
    for (index, campaign) in feed.known {
      guard let regions = feed.allRegions(of: campaign) else { continue }
      var reported: Set<String> = []
      for (path, text) in Self.texts(campaign) {
        for field in text.neededFields where reported.insert(field.lowercased()).inserted {
          let lacksTrip = Placeholder.isOfTrip(field) && campaign.trigger.tripMoment == nil
          guard lacksTrip || !Placeholder.isKnown(field), regions.allSatisfy({ $0.field(field) == nil }) else {
            continue
          }
          let near = Spelling.nearest(to: field, of: regions.flatMap { $0.customFields.map(\.name) })
          report(
            .missingField, [.key("campaigns"), .index(index)] + path,
            "The \(campaign.title) has the placeholder {{\(field)}}, and none of its regions has that field.",
            remedy: lacksTrip
              ? "Give the campaign the trigger \"trip\"."
              : near.map { "Write {{\($0)}}, or add the field to the regions." })
        }
      }
    }
  }

  private mutating func checkLanguages() {
    guard let feed else { return }
    for (index, campaign) in feed.known {
      for (key, plural, text, other) in [
        ("title", "titles", campaign.content?.title, \Translation.title),
        ("subtitle", "subtitles", campaign.content?.subtitle, \.subtitle),
        ("body", "bodies", campaign.content?.body, \.body),
      ] where text != nil {
        let lacking = campaign.translations.filter { $0[keyPath: other] == nil }.map(\.language)
        guard !lacking.isEmpty else { continue }
        report(
          .untranslated, [.key("campaigns"), .index(index), .key("content"), .key(key)],
          "The \(campaign.title) has its message in \(lacking.joined(separator: ", ")), and \(plural) lacks that.")
      }
    }
  }

  private mutating func checkCoalescingTexts() {
    guard let feed else { return }
    let numbers = indices(of: "/settings/coalescing", feed.settings.coalescing.count)
    for (index, group) in zip(numbers, feed.settings.coalescing) where !feed.leftOut.contains(group.group.text) {
      let regions = feed.known.filter { $0.campaign.coalescingGroup == group.group }
        .map { feed.allRegions(of: $0.campaign) }
      guard !regions.isEmpty, !regions.contains(where: { $0 == nil }) else { continue }
      for field in group.message.neededFields
      where field != "count" && !regions.contains(where: { $0?.contains { $0.field(field) != nil } == true }) {
        report(
          .missingField, [.key("settings"), .key("coalescing"), .index(index), .key("message")],
          "The message of the group \"\(group.group.text)\" has the placeholder {{\(field)}}, and none of its"
            + " regions has that field."
        )
      }
    }
  }

  /// A field that others of the campaign's regions have, and this one spells otherwise.
  private mutating func checkSpelling() {
    guard let feed else { return }
    var reported: Set<String> = []
    for (_, campaign) in feed.known {
      let fields = Set(
        Self.texts(campaign).flatMap(\.text.neededFields).filter { !Placeholder.isKnown($0) }.map { $0.lowercased() })
      for number in campaign.regions {
        guard let region = feed.regions[number] else { continue }
        for field in fields.sorted() where region.field(field) == nil {
          guard feed.regions(of: campaign).contains(where: { $0.field(field) != nil }),
            let near = Spelling.nearest(to: field, of: region.customFields.map(\.name)),
            !fields.contains(near.lowercased()), reported.insert("\(number) \(near)").inserted
          else { continue }
          report(
            .misspeltField, [.key("regions"), .index(number), .key("customFields"), .key(near)],
            "The region \"\(region.id.text)\" has no field \"\(field)\" for the \(campaign.title), but \"\(near)\".",
            remedy: "Write \"\(field)\" if that was meant.")
        }
      }
    }
  }

  private mutating func checkLinks() {
    guard let feed else { return }
    for (index, campaign) in feed.known {
      guard case .notification(let handler) = campaign.kind, handler != .regular, campaign.data.source.isEmpty else {
        continue
      }
      report(
        .noLink, campaign: index, "handlerType",
        sentence: "The \(campaign.title) is of the type \(handler.rawValue), and has no data to open.")
    }
  }

  private mutating func checkAttachments() {
    guard let feed, let configuration, configuration.attachmentFolder == nil, isRead("/engine/attachmentFolder") else {
      return
    }
    for (index, campaign) in feed.known {
      for (number, attachment) in (campaign.content?.attachments ?? []).enumerated() {
        let url = attachment.url.source
        // A placeholder may stand for a whole path.
        guard !url.hasPrefix("/"), !url.hasPrefix("{{"), !url.contains(":") else { continue }
        report(
          .noAttachmentFolder,
          [
            .key("campaigns"), .index(index), .key("content"), .key("attachments"), .index(number), .key("url"),
          ],
          "The attachment \"\(attachment.id)\" of the \(campaign.title) has the relative path \"\(url)\".")
      }
    }
  }
}
