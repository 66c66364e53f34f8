internal import PlotCore

extension Feed {
  static func write(_ categories: [PlotCore.Category], to json: inout JSONText) {
    guard !categories.isEmpty else { return }
    json.key("categories")
    json.array { json in
      for category in categories {
        json.object { json in
          json.member("id", category.id.text)
          write(category.actions, to: &json)
        }
      }
    }
  }

  /// Texts by their languages.
  static func write(_ texts: [(language: String, text: Template?)], _ key: String, to json: inout JSONText) {
    guard texts.contains(where: { $0.text != nil }) else { return }
    json.key(key)
    json.object { json in
      for (language, text) in texts { if let text { json.member(language, text.source) } }
    }
  }

  static func write(_ content: ContentTemplate?, _ translations: [Translation], to json: inout JSONText) {
    guard let content else { return }
    json.key("content")
    json.object { json in
      json.member("title", content.title?.source)
      json.member("subtitle", content.subtitle?.source)
      json.member("body", content.body?.source)
      write(translations.map { ($0.language, $0.title) }, "titles", to: &json)
      write(translations.map { ($0.language, $0.subtitle) }, "subtitles", to: &json)
      write(translations.map { ($0.language, $0.body) }, "bodies", to: &json)
      json.member("sound", content.sound)
      json.member("badge", content.badge)
      json.member("category", content.category)
      if !content.attachments.isEmpty {
        json.key("attachments")
        json.array { json in
          for attachment in content.attachments {
            json.object { json in
              json.member("id", attachment.id)
              json.member("url", attachment.url.source)
              json.member("type", attachment.type)
            }
          }
        }
      }
      if !content.actions.isEmpty { write(content.actions, to: &json) }
      if !content.userInfo.isEmpty {
        json.key("userInfo")
        Content.write(content.userInfo, to: &json)
      }
    }
  }

  private static func write(_ actions: [ActionTemplate], to json: inout JSONText) {
    json.key("actions")
    json.array { json in
      for template in actions {
        let action = template.action
        json.object { json in
          json.member("id", action.id)
          json.member("title", action.title)
          if !template.titles.isEmpty {
            json.key("titles")
            json.object { json in for title in template.titles { json.member(title.language, title.text) } }
          }
          if action.foreground { json.member("foreground", true) }
          if action.destructive { json.member("destructive", true) }
        }
      }
    }
  }
}
