/// A message from outside, such as a push.
public struct Message: Equatable, Sendable {
  public enum Operation: String, CaseIterable, Sendable {
    case post, update, retract
  }

  public var id: String
  public var operation = Operation.post
  public var sender: String?
  public var thread: String?
  /// The message's body is its `message`, which only that of a retract may leave empty.
  public var content: Content
  /// Nil for the id.
  public var correlationKey: String?
  /// Of two with one key, the greater is the newer; nil when the order of arrival counts.
  public var revision: Int64?
  public var priority: Int64 = 0

  public init(id: String, content: Content) {
    self.id = id
    self.content = content
  }

  /// One message as it was sent, however often it is delivered.
  var matchIdentifier: String {
    let kind = operation == .retract ? "retract" : "post"
    if let revision { return StableIdentifier.make("message", id, kind, String(revision)) }
    return StableIdentifier.make("message", id, kind, "", content.title ?? "", content.message, content.data)
  }
}

extension Item {
  /// The values of an item that is a message, and not one of a campaign.
  public struct Incoming: Equatable, Sendable {
    public var id: String
    public var sender: String?
    public var thread: String?
    public var revision: Int64?
    /// To be shown without sound and badge.
    public var isSilent = false
    /// It is only shown because the host cannot suppress it.
    public var isSuppressed = false

    public init(id: String) {
      self.id = id
    }
  }

  init(_ message: Message) {
    var incoming = Incoming(id: message.id)
    incoming.sender = message.sender
    incoming.thread = message.thread
    incoming.revision = message.revision
    self.init(incoming, message.content, matchIdentifier: message.matchIdentifier)
    values.correlationKey = message.correlationKey ?? message.id
    values.loaded.priority = message.priority
  }

  public init(_ incoming: Incoming, _ content: Content, matchIdentifier: String) {
    self.init(
      LoadedItem(
        kind: .notification(.regular), campaign: Identifier(""), region: Identifier(""), content: content,
        coordinate: nil, trigger: .enter, matchRange: 0),
      matchIdentifier: matchIdentifier, visit: nil)
    values.incoming = incoming
  }

  public var isMessage: Bool { values.boxedIncoming != nil }

  /// The facts that the rules of the feed look at.
  var facts: MessageFacts {
    MessageFacts(
      id: identifier, sender: self.incoming?.sender, thread: self.incoming?.thread, title: self.content.title,
      body: self.message)
  }

  mutating func silence() {
    values.incoming?.isSilent = true
    values.loaded.content.sound = nil
    values.loaded.content.badge = nil
  }
}
