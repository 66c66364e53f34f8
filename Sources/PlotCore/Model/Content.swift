/// The content of a notification (docs/items.md). `message` and `data` are always there; a geotrigger has nothing else.
public struct Content: Equatable, Sendable {
  private struct Rest: Equatable, Sendable {
    var title: String?
    var subtitle: String?
    var body: String?
    var sound: String?
    var badge: Int64?
    var category: String?
    var attachments: [Attachment] = []
    var actions: [Action] = []
    var userInfo: [UserInfoEntry] = []
  }

  public var message: String
  public var data: String
  /// Most have none.
  private var boxed: Boxed<Rest>?

  private var rest: Rest {
    get { boxed?.values ?? Rest() }
    _modify {
      if boxed == nil { boxed = Boxed(Rest()) }
      // None again, when nothing is in it.
      defer { if boxed!.values == Rest() { boxed = nil } }
      yield &boxed!.values
    }
  }

  public var title: String? {
    get { boxed?.values.title }
    _modify { yield &rest.title }
  }

  public var subtitle: String? {
    get { boxed?.values.subtitle }
    _modify { yield &rest.subtitle }
  }

  public var body: String? {
    get { boxed?.values.body }
    _modify { yield &rest.body }
  }

  public var sound: String? {
    get { boxed?.values.sound }
    _modify { yield &rest.sound }
  }

  /// From 0; 0 takes the badge away.
  public var badge: Int64? {
    get { boxed?.values.badge }
    _modify { yield &rest.badge }
  }

  public var category: String? {
    get { boxed?.values.category }
    _modify { yield &rest.category }
  }

  public var attachments: [Attachment] {
    get { boxed?.values.attachments ?? [] }
    _modify { yield &rest.attachments }
  }

  public var actions: [Action] {
    get { boxed?.values.actions ?? [] }
    _modify { yield &rest.actions }
  }

  public var userInfo: [UserInfoEntry] {
    get { boxed?.values.userInfo ?? [] }
    _modify { yield &rest.userInfo }
  }

  public static let badgeRange: ClosedRange<Int64> = 0...2_147_483_647

  public init(message: String, data: String) {
    self.message = message
    self.data = data
  }

  /// Whether the person cannot tell them apart: all is the same but what goes to the app.
  func looksAs(_ other: Content) -> Bool {
    var other = other
    (other.data, other.userInfo) = (data, userInfo)
    return self == other
  }

  /// The same with every key of the user info of `original`: those that are missing get their old values. Old keys
  /// keep their places, new ones follow.
  public func keepingUserInfo(of original: Content) -> Content {
    var content = self
    let old = original.userInfo
    content.userInfo = old.map { entry in userInfo.first { $0.key == entry.key } ?? entry }
    content.userInfo += userInfo.filter { entry in !old.contains { $0.key == entry.key } }
    return content
  }
}

/// A file to be shown or played with a notification.
public struct Attachment: Equatable, Sendable {
  public var id: String
  /// A `file:` URL, or a path.
  public var url: String
  /// The format as a file's extension; nil when that of `url` says it.
  public var type: String?

  public init(id: String, url: String, type: String? = nil) {
    self.id = id
    self.url = url
    self.type = type
  }
}

/// Something that the person may choose on a notification.
public struct Action: Equatable, Sendable {
  public var id: String
  public var title: String
  /// Choosing it opens the app.
  public var foreground: Bool
  public var destructive: Bool

  /// Apple's limit; compact layouts show `compactCount`.
  public static let limit = 10
  public static let compactCount = 2

  public init(id: String, title: String, foreground: Bool = false, destructive: Bool = false) {
    self.id = id
    self.title = title
    self.foreground = foreground
    self.destructive = destructive
  }
}

/// One key of a notification's user info.
public struct UserInfoEntry: Equatable, Sendable {
  public var key: Identifier
  /// Its value as JSON without white space.
  public var json: String

  public init(key: Identifier, json: String) {
    self.key = key
    self.json = json
  }
}

/// An action of a feed, with its title in other languages.
public struct ActionTemplate: Equatable, Sendable {
  public var action: Action
  /// Tags of BCP 47, and titles; no language twice.
  public var titles: [Title]

  public struct Title: Equatable, Sendable {
    public var language: String
    public var text: String

    public init(language: String, text: String) { (self.language, self.text) = (language, text) }
  }

  public init(_ action: Action, titles: [Title] = []) { (self.action, self.titles) = (action, titles) }

  /// With the title that suits best; its own where none does.
  func worded(for languages: String) -> Action {
    guard !titles.isEmpty, let place = Languages.best(of: titles.map(\.language), for: languages) else { return action }
    var action = action
    action.title = titles[place].text
    return action
  }
}

/// Actions under a name, for the notifications that name it.
public struct Category: Equatable, Sendable {
  public var id: Identifier
  public var actions: [ActionTemplate]

  public init(id: Identifier, actions: [ActionTemplate]) {
    self.id = id
    self.actions = actions
  }
}

/// The content that a campaign gives its notifications beside message and data.
public struct ContentTemplate: Equatable, Sendable {
  public struct Attachment: Equatable, Sendable {
    public var id: String
    public var url: Template
    public var type: String?

    public init(id: String, url: Template, type: String?) {
      self.id = id
      self.url = url
      self.type = type
    }
  }

  public var title: Template?
  public var subtitle: Template?
  public var body: Template?
  public var sound: String?
  public var badge: Int64?
  public var category: String?
  public var attachments: [Attachment] = []
  public var actions: [ActionTemplate] = []
  public var userInfo: [UserInfoEntry] = []

  public init() {}
}

extension Feed {
  /// The content of a campaign's items, each text made by `fill`. A category brings its actions. `languages`: those of the device, for these.
  func content<E: Error>(
    of campaign: Campaign, languages: @autoclosure () -> String, _ fill: (Template) throws(E) -> String
  ) throws(E) -> Content {
    var result = Content(message: try fill(campaign.text), data: try fill(campaign.data))
    guard let content = campaign.content else { return result }
    if let title = content.title { result.title = try fill(title) }
    if let subtitle = content.subtitle { result.subtitle = try fill(subtitle) }
    if let body = content.body { result.body = try fill(body) }
    for attachment in content.attachments {
      result.attachments.append(
        PlotCore.Attachment(id: attachment.id, url: try fill(attachment.url), type: attachment.type))
    }
    result.sound = content.sound
    result.badge = content.badge
    result.category = content.category
    var actions = content.actions
    if let category = content.category.flatMap({ self.category(Identifier($0)) }), !category.actions.isEmpty {
      actions = category.actions
    }
    if !actions.isEmpty {
      let languages = languages()
      result.actions = actions.map { $0.worded(for: languages) }
    }
    result.userInfo = content.userInfo
    return result
  }
}
